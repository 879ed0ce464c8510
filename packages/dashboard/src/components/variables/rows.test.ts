import assert from 'node:assert/strict';
import test from 'node:test';
import { type Entry, entriesOf } from './changes.ts';
import { isFound, rowsOf, type SourceEntries } from './rows.ts';

const level = (source: SourceEntries['source'], vars: Record<string, string>, secret: string[] = []) => ({
  source,
  entries: entriesOf({ vars, secret }),
});
const app = level('app', { LOG_LEVEL: 'debug', TOKEN: 'x' }, ['TOKEN']);
const wider = [level('environment', { LOG_LEVEL: 'warn' }), level('project', { LOG_LEVEL: 'info', REGION: 'eu' })];
const said = (edits: [string, Entry | null][]) =>
  rowsOf(app, new Map(edits), wider).map(
    ({ key, entry, source, overrides, change }) =>
      `${key}=${entry?.value ?? '–'} ${source} ${overrides.map((one) => one.source).join('+') || '-'} ${change ?? 'same'}`,
  );

test('shows the variable of the nearest level and its overridden levels', () => {
  assert.deepEqual(said([]), [
    'LOG_LEVEL=debug app environment+project same',
    'REGION=eu project - same',
    'TOKEN=x app - same',
  ]);
});

test('shows the effective value of an unsaved edit', () => {
  const changes: [string, Entry | null][] = [
    ['LOG_LEVEL', null],
    ['TOKEN', null],
    ['REGION', { value: 'us', secret: false }],
  ];

  assert.deepEqual(said(changes), [
    'LOG_LEVEL=warn environment project removed',
    'REGION=us app project added',
    'TOKEN=– app - removed',
  ]);
});

test('finds variables by name, readable value and level', () => {
  const found = (text: string, from = '') =>
    rowsOf(app, new Map(), wider)
      .filter((row) => isFound(row, text, from))
      .map(({ key }) => key);

  assert.deepEqual(found('log'), ['LOG_LEVEL']);
  assert.deepEqual(found('EU'), ['REGION']);
  assert.deepEqual(found('x'), [], 'a secret is not found by its value');
  assert.deepEqual(found('', 'app'), ['LOG_LEVEL', 'TOKEN']);
});
