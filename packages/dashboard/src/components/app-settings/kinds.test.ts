import assert from 'node:assert/strict';
import test from 'node:test';
import type { App } from '@davit/api';
import { argumentList, bytes, number, pairs, text } from './kinds.ts';
import { mergePatch } from './patch.ts';

const app = (labels: Record<string, string>) => ({ labels }) as App;

test('what is empty goes back to the default, and what makes no sense is sent as it is', () => {
  const cpu = number('CPU', () => null);

  assert.deepEqual(
    ['', ' 2 ', '0.5', 'two'].map((value) => cpu.sent(value, app({}))),
    [null, 2, 0.5, 'two'],
  );
  assert.equal(text('Path', () => null).sent('  ', app({})), null);
  assert.equal(argumentList('Command', () => null, '').sent(' ', app({})), null);
});

test('arguments are typed as a line and sent as a list', () => {
  const command = argumentList('Command', () => ['sh', '-c', 'a b'], '');

  assert.equal(command.of(app({})), "sh -c 'a b'");
  assert.deepEqual(command.sent('node "x y"', app({})), ['node', 'x y']);
  assert.match(command.check('node "x') ?? '', /not closed/);
});

test('memory is sent in bytes, and said to be none before anybody is asked', () => {
  const memory = bytes('Memory', () => 512 * 1024 ** 2);

  assert.equal(memory.of(app({})), '512 MiB');
  assert.equal(memory.sent('1g', app({})), 1024 ** 3);
  assert.match(memory.check('a lot') ?? '', /512 MiB/);
  assert.equal(memory.check(''), null);
});

test('labels that are gone are named with null, as a merge takes them away', () => {
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

test('fields with paths become one merge patch', () => {
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
