// The check digit of a container's number (ISO 6346): letters count from 10, multiples of 11 are
// left out, and position i weighs 2 to the i.
const values = new Map();
let next = 10;
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
  if (next % 11 === 0) next += 1;
  values.set(letter, next);
  next += 1;
}

export function checkDigit(number) {
  let sum = 0;
  [...number].forEach((character, i) => {
    const value = values.get(character) ?? Number(character);
    sum += value * 2 ** i;
  });
  return (sum % 11) % 10;
}
