import assert from 'node:assert/strict';
import { it } from 'node:test';
import { indented, jsonLine } from './json-line.ts';

it('says first what the line says, then its other fields', () => {
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

it('leaves what is no object as it is', () => {
  for (const line of ['plain', '{broken}', '[1]', 'null', `{"a":"${'x'.repeat(20_000)}"}`])
    assert.equal(jsonLine(line), null);
});

it('writes the whole over several lines', () => {
  assert.equal(indented('{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}');
  assert.deepEqual([indented('{x'), indented('7')], [null, null]);
});

it('does not make a few hundred megabytes of a line that is all depth', { timeout: 60_000 }, () => {
  assert.equal(indented(`{"${'\\"'.repeat(500_000)}`), null);
  assert.equal(indented(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`), null);
  assert.equal(indented(`{"a":"${'['.repeat(200)}"}`), `{\n  "a": "${'['.repeat(200)}"\n}`);
});
