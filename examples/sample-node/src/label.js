import { checkDigit } from './check-digit.js';

/** @param {string} number owner, category and serial, such as `CSQU305438` */
export function makeLabel(number, { cold = false } = {}) {
  const label = `${number.slice(0, 4)} ${number.slice(4)} ${checkDigit(number)}`;
  return cold ? `${label} *COLD*` : label;
}
