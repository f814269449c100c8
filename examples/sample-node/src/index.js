export { checkDigit } from './check-digit.js';
export { makeLabel } from './label.js';
