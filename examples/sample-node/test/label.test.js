import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { checkDigit, makeLabel } from '../src/index.js';

const fixture = (name) =>
  readFileSync(new URL(`fixtures/${encodeURIComponent(name)}`, import.meta.url), 'utf8');

test('the check digit of the standard', () => {
  assert.equal(checkDigit('CSQU305438'), 3);
});

test('a label has three parts', () => {
  assert.equal(makeLabel('CSQU305438'), 'CSQU 305438 3');
});

test('a cold one says so', () => {
  assert.equal(makeLabel('CSQU305438', { cold: true }), 'CSQU 305438 3 *COLD*');
});

test('numbers from a list with CR LF', () => {
  const numbers = fixture('码头 名单.csv').trim().split('\r\n');
  assert.deepEqual(numbers.map((number) => makeLabel(number)), ['CSQU 305438 3', 'MSKU 601198 6']);
});
