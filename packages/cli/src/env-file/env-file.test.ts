import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readEnvFile } from '@davit/api';
import fc from 'fast-check';
import { safeText } from '../output/safe-text.ts';
import { writeEnvFile } from './write.ts';

const SEED = 20_260_301;

/** Parts of values that are special in at least one of the programs that read `.env` files. */
const SPECIAL = [
  ...["'", '"', '`', '\\', '\\n', '\\r', "\\'", '\\"', '$', '$HOME', '$' + '{A}', '$(date)', '#', ' #', '# davit:json'],
  ...['\n', '\r', '\r\n', '\n\n', ' ', '  ', '\t', '=', 'B=2', '\nB=2', 'export ', 'A: b', '-----BEGIN KEY-----\n'],
  ...['\u0007', '\u001b[2J', '\u0085', '\u00a0', '\u2028', '\u202e', '\ufeff', 'é', '漢字', '😀', '\ud800'],
];
const value = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...SPECIAL) }, { weight: 1, arbitrary: fc.string() }), {
    maxLength: 8,
  })
  .map((parts) => parts.join('').replaceAll('\0', ''));
const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,8}$/);
const variables = fc
  .uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 6 })
  .map((pairs) => Object.fromEntries(pairs));

const valuesIn = (text: string) =>
  Object.fromEntries([...readEnvFile(text).variables].map(([key, entry]) => [key, entry.value]));

describe('an .env file', () => {
  test('contains every value of 500 generated files unchanged', (t) => {
    t.diagnostic(`seed ${SEED}`);
    fc.assert(
      fc.property(variables, (given) => {
        const { text } = writeEnvFile(given);
        assert.deepEqual(valuesIn(text), given);
        assert.deepEqual(readEnvFile(text).doubtful, []);
        assert.deepEqual(valuesIn(`\ufeff${text.replaceAll('\n', '\r\n')}`), given);
        for (const [key, one] of Object.entries(given))
          assert.deepEqual(valuesIn(`export ${writeEnvFile({ [key]: one }).text}`), { [key]: one });
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  test('contains nothing that the terminal interprets', () => {
    fc.assert(
      fc.property(variables, (given) => {
        const { text } = writeEnvFile(given);
        assert.equal(safeText(text), text);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  test('has a value of 128 KiB with all special characters unchanged', () => {
    const long = SPECIAL.join('').repeat(700).slice(0, 131_000);
    assert.deepEqual(valuesIn(writeEnvFile({ A: long, B: 'b' }).text), { A: long, B: 'b' });
  });
});

describe('writeEnvFile', () => {
  const written = (one: string) => writeEnvFile({ A: one }).text.slice('A='.length, -1);

  test('writes values so that other programs read them too, where possible', () => {
    assert.equal(written(''), '');
    assert.equal(written('postgres://ada:x@db/shop?a=b&c=d'), 'postgres://ada:x@db/shop?a=b&c=d');
    assert.equal(written('two words'), 'two words');
    assert.equal(written(' x'), "' x'");
    assert.equal(written('a#b'), "'a#b'");
    assert.equal(written('$HOME'), "'$HOME'");
    assert.equal(written('a\nb'), "'a\nb'");
    assert.equal(written("it's"), '"it\'s"');
    assert.equal(written('a\r\nb'), '"a\\r\nb"');
    assert.equal(written('it\'s "a"'), '`it\'s "a"`');
    assert.equal(written('C:\\'), 'C:\\');
  });

  test('lists the values that only Davit reads', () => {
    const { text, encoded } = writeEnvFile({ A: 'a', B: '\'"`\n', C: 'é\u0007' });
    assert.deepEqual(encoded, ['B', 'C']);
    assert.equal(text, 'A=a\nB="\'\\u0022`\\u000a" # davit:json\nC="\\u00e9\\u0007" # davit:json\n');
  });
});
