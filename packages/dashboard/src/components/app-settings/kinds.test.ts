import assert from 'node:assert/strict';
import test from 'node:test';
import type { App } from '@davit/api';
import { argumentList, bytes, number, pairs, text } from './kinds.ts';
import { mergePatch } from './patch.ts';

const app = (labels: Record<string, string>) => ({ labels }) as App;

test('empty fields are sent as null, and invalid numbers are sent unchanged', () => {
  const cpu = number('CPU', () => null);

  assert.deepEqual(
    ['', ' 2 ', '0.5', 'two'].map((value) => cpu.sent(value, app({}))),
    [null, 2, 0.5, 'two'],
  );
  assert.equal(text('Path', () => null).sent('  ', app({})), null);
  assert.equal(argumentList('Command', () => null, '').sent(' ', app({})), null);
});

test('text that is not a number is reported, and numbers and empty fields are not', () => {
  const interval = number('Interval', () => 500);

  for (const wrong of ['abc', '5s', '500 ms', '1e3', '1,5', '--1', '.'])
    assert.match(interval.check(wrong) ?? '', /number without a unit/, wrong);
  for (const right of ['', ' ', '500', ' 0.5 ', '-1']) assert.equal(interval.check(right), null, right);
});

test('arguments are shown as a line and sent as a list', () => {
  const command = argumentList('Command', () => ['sh', '-c', 'a b'], '');

  assert.equal(command.of(app({})), "sh -c 'a b'");
  assert.deepEqual(command.sent('node "x y"', app({})), ['node', 'x y']);
  assert.match(command.check('node "x') ?? '', /not closed/);
});

test('memory is sent in bytes, and invalid input is reported', () => {
  const memory = bytes('Memory', () => 512 * 1024 ** 2);

  assert.equal(memory.of(app({})), '512 MiB');
  assert.equal(memory.sent('1g', app({})), 1024 ** 3);
  assert.match(memory.check('a lot') ?? '', /512 MiB/);
  assert.equal(memory.check(''), null);
});

test('removed labels are sent as null, and duplicate labels are reported', () => {
  const labels = pairs('Labels', (of) => of.labels);

  assert.deepEqual(labels.of(app({ b: '2', a: '1' })), [
    ['a', '1'],
    ['b', '2'],
  ]);
  assert.deepEqual(labels.sent([['a', '9']], app({ a: '1', b: '2' })), { a: '9', b: null });
  assert.match(
    labels.check([
      ['a', ''],
      ['a', ''],
    ]) ?? '',
    /twice/,
  );
});

test('fields with paths are merged into a single patch', () => {
  assert.deepEqual(
    mergePatch([
      ['health.path', '/up'],
      ['health.grace_s', 5],
      ['tag', null],
    ]),
    {
      health: { path: '/up', grace_s: 5 },
      tag: null,
    },
  );
});
