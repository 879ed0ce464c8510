/**
 * Tests that the npm library dotenv reads exported `.env` files, and that the command line reads usual files like
 * dotenv.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEnvFile } from '@davit/api';
import { parse } from 'dotenv';
import fc from 'fast-check';
import { writeEnvFile } from './write.ts';

const SEED = 20_260_302;
const PARTS = ["'", '"', '`', '\\', '\\n', '#', '$HOME', '\n', '\r', ' ', '\t', '=', '\nB=2', 'é', '😀', 'x', 'y z'];

test('dotenv reads every value that is not encoded', (t) => {
  t.diagnostic(`seed ${SEED}`);
  const value = fc.array(fc.constantFrom(...PARTS), { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 6 }), (values) => {
      const given = Object.fromEntries(values.map((one, index) => [`V${index}`, one]));
      const { text, encoded } = writeEnvFile(given);
      const read = parse(text);
      for (const [name, one] of Object.entries(given)) if (!encoded.includes(name)) assert.equal(read[name], one, text);
    }),
    { seed: SEED, numRuns: 500 },
  );
});

test('dotenv and readEnvFile read usual files alike', () => {
  const files = [
    'A=b\nexport C=d\n# e=f\nG=',
    '\ufeffA=b\r\nC="d\\ne" # f\r\n',
    "A='b # c'\nD=\"e's\"\nF=`g'\"`\nH=i # j\nK= l m \n",
    'A="-----BEGIN KEY-----\nbase64==\n-----END KEY-----"\nB=$A\nC="$A"\n',
    'A=b\nA=c\nnothing\nD: e\n  F  =  g\n',
    'A="b\nC=d\n',
  ];
  for (const text of files) {
    const own = [...readEnvFile(text).variables].map(([name, { value }]) => [name, value]);
    assert.deepEqual(Object.fromEntries(own), { ...parse(text) }, text);
  }
});
