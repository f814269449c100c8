#!/usr/bin/env node
import { makeLabel } from '../src/index.js';

for (const number of process.argv.slice(2)) {
  console.log(makeLabel(number));
}
