import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { CACHE } from './checks.ts';
import { Durations, SLOW_FILES } from './durations.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'davit-durations-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const record = join(CACHE, 'milliseconds-test.json');

test('longestFirst orders files by the duration of an earlier run', () => {
  for (const file of ['a.test.ts', 'b.test.ts', 'c.test.ts']) write(file, 'x');
  new Durations(root, 'test').keep([
    { file: 'a.test.ts', ms: 20 },
    { file: 'b.test.ts', ms: 900 },
    { file: 'c.test.ts', ms: 100 },
  ]);

  const order = new Durations(root, 'test').longestFirst(['a.test.ts', 'b.test.ts', 'c.test.ts']);

  assert.deepEqual(order, ['b.test.ts', 'c.test.ts', 'a.test.ts']);
});

test('longestFirst orders files without a duration by size, browser tests first', () => {
  write('packages/x/src/small.test.ts', 'x'.repeat(10));
  write('packages/x/src/large.test.ts', 'x'.repeat(300));
  write('test/e2e/page.test.ts', 'x'.repeat(100));

  const order = new Durations(root, 'test').longestFirst([
    'packages/x/src/small.test.ts',
    'packages/x/src/large.test.ts',
    'test/e2e/page.test.ts',
  ]);

  assert.deepEqual(order, ['test/e2e/page.test.ts', 'packages/x/src/large.test.ts', 'packages/x/src/small.test.ts']);
});

test('longestFirst orders files without an earlier run by the table of slow files', () => {
  const slow = 'test/live/docs/shell-blocks.test.ts';
  write(slow, 'x');
  write('test/live/docs/large.test.ts', 'x'.repeat(300));

  const order = new Durations(root, 'test').longestFirst(['test/live/docs/large.test.ts', slow]);

  assert.deepEqual(order, [slow, 'test/live/docs/large.test.ts']);
});

test('the table of slow files names only existing files', () => {
  const repository = join(import.meta.dirname, '../..');
  const missing = Object.keys(SLOW_FILES).filter((file) => !existsSync(join(repository, file)));

  assert.deepEqual(missing, []);
});

test('keep retains durations of files outside the run and removes deleted files', () => {
  write('a.test.ts', 'x');
  write('b.test.ts', 'x');
  write(record, JSON.stringify({ 'a.test.ts': 5, 'gone.test.ts': 7 }));

  new Durations(root, 'test').keep([{ file: 'b.test.ts', ms: 3.4 }]);

  assert.deepEqual(JSON.parse(readFileSync(join(root, record), 'utf8')), { 'a.test.ts': 5, 'b.test.ts': 3 });
});

test('Durations keeps a separate record for each tier', () => {
  write('a.test.ts', 'x');
  write('b.test.ts', 'xx');
  new Durations(root, 'long').keep([{ file: 'a.test.ts', ms: 900 }]);

  assert.deepEqual(new Durations(root, 'test').longestFirst(['a.test.ts', 'b.test.ts']), ['b.test.ts', 'a.test.ts']);
});

test('longestFirst ignores a record that cannot be read', () => {
  write('a.test.ts', 'x');
  write('b.test.ts', 'xx');
  write(record, '{"a.test.ts": ');

  assert.deepEqual(new Durations(root, 'test').longestFirst(['a.test.ts', 'b.test.ts']), ['b.test.ts', 'a.test.ts']);
});
