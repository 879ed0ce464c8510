import assert from 'node:assert/strict';
import { it } from 'node:test';
import { indented, jsonLine } from './json-line.ts';

it('shows the message of a JSON line first, then other fields', () => {
  assert.deepEqual(jsonLine('{"level":30,"time":1,"msg":"listening","port":8080,"tags":["a"],"note":"x y"}'), {
    message: 'listening',
    fields: [
      ['port', '8080'],
      ['tags', '["a"]'],
      ['note', 'x y'],
    ],
  });
  assert.deepEqual(jsonLine('{"a":null}'), { message: '', fields: [['a', 'null']] });
});

it('returns null for oversized lines and lines without a JSON object', () => {
  for (const line of ['plain', '{broken}', '[1]', 'null', `{"a":"${'x'.repeat(20_000)}"}`])
    assert.equal(jsonLine(line), null);
});

it('indents a JSON object over several lines', () => {
  assert.equal(indented('{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}');
  assert.deepEqual([indented('{x'), indented('7')], [null, null]);
});

it('refuses to indent very long or deeply nested JSON lines', { timeout: 60_000 }, () => {
  assert.equal(indented(`{"${'\\"'.repeat(500_000)}`), null);
  assert.equal(indented(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`), null);
  assert.equal(indented(`{"a":"${'['.repeat(200)}"}`), `{\n  "a": "${'['.repeat(200)}"\n}`);
});
