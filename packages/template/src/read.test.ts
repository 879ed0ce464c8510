import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { CODES } from './codes.ts';
import type { Diagnostic } from './diagnostic.ts';
import { readTemplate } from './read.ts';

const SEED = { seed: 20_260_103, numRuns: 150 };
const FOLDER = join(import.meta.dirname, '../fixtures/published');
const PUBLISHED = globSync('*/template.yaml', { cwd: FOLDER }).sort();
/** Pieces of YAML for random texts. */
const PIECES = [
  ...[
    'a',
    'key',
    ': ',
    ':',
    '- ',
    '-',
    '? ',
    '\n',
    '\n  ',
    '\n    ',
    ' ',
    '\t',
    '#',
    ' #',
    '"',
    "'",
    '\\',
    '|',
    '>',
    '|-2',
  ],
  ...[
    '[',
    ']',
    '{',
    '}',
    ',',
    '&a',
    '*a',
    '!!str ',
    '!',
    '<<: ',
    '---',
    '...',
    '%TAG',
    '\r',
    '\r\n',
    '\ufeff',
    '\0',
    '😀',
  ],
  ...[
    'version: 1',
    'project: shop',
    'apps:',
    'inputs:',
    'type: text',
    '1',
    '0x1',
    '1.0',
    '2024-01-01',
    '~',
    'true',
    '${input.a}',
  ],
];
const yamlish = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join(''));

/** Asserts that reading a text never throws and returns valid positions. */
function assertSound(text: string): void {
  const { draft, problems } = readTemplate(text);
  assert.equal(
    draft === null,
    problems.some(({ severity }) => severity === 'error'),
  );
  for (const problem of problems) assertPosition(problem, text);
}

function assertPosition({ code, message, line, column }: Diagnostic, text: string): void {
  assert.ok(code in CODES, code);
  assert.match(message, /\.$/);
  if (line === undefined) return;
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  assert.ok(line >= 1 && line <= lines.length, `${code}: line ${line} of ${lines.length}`);
  if (column === undefined) return;
  const length = [...(lines[line - 1] ?? '')].length;
  assert.ok(column >= 1 && column <= length + 1, `${code}: column ${column} of ${length} on line ${line}`);
}

test('reports problems of random text at existing positions', () => {
  fc.assert(fc.property(yamlish, assertSound), SEED);
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), assertSound), SEED);
});

test('reports existing positions for published templates with a random replacement', () => {
  const changed = fc.record({
    path: fc.constantFrom(...PUBLISHED),
    where: fc.noBias(fc.nat(9_999)),
    length: fc.nat(8),
    by: fc.constantFrom('', ...PIECES),
  });
  fc.assert(
    fc.property(changed, ({ path, where, length, by }) => {
      const text = readFileSync(join(FOLDER, path), 'utf8');
      const at = Math.floor((where / 10_000) * text.length);
      assertSound(text.slice(0, at) + by + text.slice(at + length));
    }),
    SEED,
  );
});

test('reads every published template without a problem', () => {
  assert.ok(PUBLISHED.length >= 32);
  for (const path of PUBLISHED) {
    const { problems, draft } = readTemplate(readFileSync(join(FOLDER, path), 'utf8'));
    assert.deepEqual(problems, [], path);
    assert.equal(draft?.version, 1, path);
  }
});
