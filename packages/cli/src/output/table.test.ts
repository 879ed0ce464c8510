import assert from 'node:assert/strict';
import test from 'node:test';
import stringWidth from 'string-width';
import { painter } from './paint.ts';
import { recordLines } from './record.ts';
import { type Column, cut, tableLines } from './table.ts';

interface Row {
  name: string;
  count: number | null;
  words: string;
}

const COLUMNS: Column<Row>[] = [
  { header: 'name', value: ({ name }) => name, style: () => 'bold' },
  { header: 'count', value: ({ count }) => count, align: 'right' },
  { header: 'words', value: ({ words }) => words },
];
const plain = painter(false);
const ROWS: Row[] = [
  { name: 'web', count: 1, words: 'short' },
  { name: '日本語の名前', count: null, words: 'a much longer text that does not fit into a narrow terminal' },
];

test('tableLines aligns columns with wide letters and cuts nothing without a width', () => {
  assert.deepEqual(tableLines(ROWS, COLUMNS, null, plain), [
    'name          count  words',
    'web               1  short',
    '日本語の名前      –  a much longer text that does not fit into a narrow terminal',
  ]);
});

test('tableLines fits every line into the terminal width', () => {
  for (const width of [80, 60, 40, 30]) {
    for (const line of tableLines(ROWS, COLUMNS, width, plain))
      assert.ok(stringWidth(line) <= width, `${width}: ${line}`);
  }
});

test('tableLines with colors changes only the colors', () => {
  const coloured = tableLines(ROWS, COLUMNS, 40, painter(true)).join('\n');
  const escape = String.fromCharCode(27);
  assert.equal(
    coloured
      .split(escape)
      .map((part, index) => (index === 0 ? part : part.replace(/^\[\d+m/, '')))
      .join(''),
    tableLines(ROWS, COLUMNS, 40, plain).join('\n'),
  );
});

test('tableLines keeps each cell on a single line', () => {
  const lines = tableLines([{ name: 'a\nb\u001b[31m', count: 1, words: '' }], COLUMNS, 80, plain);
  assert.equal(lines.length, 2);
  assert.match(lines[1] ?? '', /^a␊b␛\[31m/);
});

test('cut adds an ellipsis and never splits a character', () => {
  assert.equal(cut('abcdef', 4), 'abc…');
  assert.equal(cut('日本語', 4), '日…');
  assert.equal(cut('👩‍👩‍👧👩‍👩‍👧', 3), '👩‍👩‍👧…');
});

test('recordLines aligns names and values, stacks lists and omits empty values', () => {
  const lines = recordLines(
    [
      ['app', 'web'],
      ['hosts', ['a.example', 'b.example']],
      ['volumes', []],
      ['error', undefined],
      ['port', null],
    ],
    plain,
  );
  assert.deepEqual(lines, ['app    web', 'hosts  a.example', '       b.example', 'port   –']);
});
