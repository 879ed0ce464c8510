import assert from 'node:assert/strict';
import test from 'node:test';
import { flattened, patchOf } from '../commands/settings/values.ts';
import { atLeastOne, byteCount, momentBefore, pairOf, wholeNumber } from './values.ts';

test('byteCount parses memory sizes with common units', () => {
  assert.deepEqual(
    ['512m', '512Mi', '1.5g', '1GiB', '64', '2 kb'].map(byteCount),
    [536_870_912, 536_870_912, 1_610_612_736, 1_073_741_824, 64, 2_048],
  );
  for (const text of ['', 'much', '-1m', '1x', '1e9']) assert.throws(() => byteCount(text), /not a valid size/);
});

test('momentBefore accepts a duration or a timestamp', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  assert.equal(momentBefore('90s', now), '2026-03-01T11:58:30.000Z');
  assert.equal(momentBefore('7d', now), '2026-02-22T12:00:00.000Z');
  assert.equal(momentBefore('2026-03-01T11:00:00.123456789Z', now), '2026-03-01T11:00:00.123456789Z');
  assert.throws(() => momentBefore('soon', now), /is not a valid time/);
});

test('pairOf allows equals signs in the value and requires a name', () => {
  assert.deepEqual(pairOf('A=b=c'), ['A', 'b=c']);
  assert.deepEqual(pairOf('A='), ['A', '']);
  assert.equal(pairOf('A'), null);
  assert.equal(pairOf('=b'), null);
});

test('wholeNumber accepts only whole numbers, and atLeastOne refuses 0', () => {
  assert.equal(wholeNumber('42', 'port'), 42);
  for (const text of ['', '-1', '1.5', '0x10', '1e3'])
    assert.throws(() => wholeNumber(text, 'port'), /is not a valid port/);
  assert.equal(atLeastOne('1', 'number of events'), 1);
  assert.throws(() => atLeastOne('0', 'number of events'), /not a valid number of events: write 1 or more/);
});

test('flattened and patchOf convert settings to and from dotted paths', () => {
  assert.deepEqual(flattened({ logs: { days: 30 }, domain: 'x', zones: ['a'] }), [
    ['logs.days', '30'],
    ['domain', 'x'],
    ['zones', '["a"]'],
  ]);
  assert.equal(
    JSON.stringify(
      patchOf(['logs.days=14', 'logs.daemon_bytes=default', 'domain=apps.example.com', 'images.forget_pulled=false']),
    ),
    '{"logs":{"days":14,"daemon_bytes":null},"domain":"apps.example.com","images":{"forget_pulled":false}}',
  );
  assert.throws(() => patchOf(['logs.days']), /has no value/);
});

test('patchOf does not pollute the prototype of objects', () => {
  patchOf(['__proto__.polluted=true', 'constructor.prototype.polluted=true']);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});
