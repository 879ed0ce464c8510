import assert from 'node:assert/strict';
import test from 'node:test';
import { accessLogLines, MOST_LINES_PER_S, parseAccessLine } from './access-log.ts';

const NAMES = { frontend: 'web', backend: 'txn.backend', host: 'txn.host' };
const PARTS = accessLogLines(NAMES, { port: 7_391, token: 't0ken' });
const LINE = '1795290783480 b12 7 9 1795290784639 200 1 2 202 106 15 shop.example';

test('parseAccessLine reads every field of a line', () => {
  assert.deepEqual(parseAccessLine(LINE), {
    process: 1_795_290_783_480,
    slot: 12,
    lines: 7,
    requests: 16,
    at: 1_795_290_784_639,
    status: 200,
    ms: 205,
    bytes: 106,
    sampled: false,
    host: 'shop.example',
  });
});

test('parseAccessLine returns no duration for a request without a response from the app', () => {
  assert.equal(parseAccessLine('1 b1 1 1 1 503 -1 -1 -1 73 1 a')?.ms, null);
  assert.equal(parseAccessLine('1 b1 1 1 1 200 -1 -1 5 73 1 a')?.ms, 5);
});

test('parseAccessLine marks a line as sampled above the maximum line rate', () => {
  const at = (rate: number) => parseAccessLine(`1 b1 1 1 1 200 0 0 5 73 ${rate} a`)?.sampled;

  assert.equal(at(MOST_LINES_PER_S), false);
  assert.equal(at(MOST_LINES_PER_S + 1), true);
});

test('parseAccessLine returns null for a line that is not an app request', () => {
  const others = [
    '',
    'b1',
    `${LINE} more`,
    LINE.replace('b12', 'api'),
    LINE.replace('b12', '-'),
    LINE.replace('200', '-'),
    LINE.replace(' 7 ', ' 7.5 '),
    LINE.replace(' 7 ', ' 99999999999999999999 '),
    LINE.replaceAll(' ', '\t'),
  ];

  for (const text of others) assert.equal(parseAccessLine(text), null, text);
});

test('the log format contains no path, query or header except the host', () => {
  const format = /log-format "(.*)"/.exec(PARTS.frontend.join('\n'))?.[1] ?? '';

  assert.doesNotMatch(format, /path|url|query|%H|%r|cookie|capture|hdr/i);
  assert.equal(format.split(' ').length, `t0ken ${LINE}`.split(' ').length);
});

test('the log rules silence requests that do not belong to an app', () => {
  assert.equal(PARTS.rules[0], 'http-request set-log-level silent if !{ var(txn.backend) -m beg b } || { stopping }');
  assert.match(PARTS.sections, /server daemon 127\.0\.0\.1:7391/);
});
