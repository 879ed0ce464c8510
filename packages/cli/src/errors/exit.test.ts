import assert from 'node:assert/strict';
import test from 'node:test';
import { ERRORS, type ErrorCode } from '@davit/api';
import { EXIT, exitOf } from './exit.ts';

test('published exit codes never change and are unique', () => {
  const codes = Object.fromEntries(Object.entries(EXIT).map(([name, { code }]) => [name, code]));
  const promised = {
    ok: 0,
    failed: 1,
    usage: 2,
    not_signed_in: 3,
    forbidden: 4,
    not_found: 5,
    conflict: 6,
    unreachable: 7,
    deploy_failed: 8,
    busy: 9,
    changes: 10,
    task_failed: 11,
    problems: 12,
    timed_out: 124,
    interrupted: 130,
  };
  assert.deepEqual(codes, promised);
  assert.equal(new Set(Object.values(codes)).size, Object.values(codes).length, 'each means one thing');
});

test('exitOf maps every error code of the instance to an exit', () => {
  const byStatus: Record<number, string> = {
    400: 'usage',
    401: 'not_signed_in',
    403: 'forbidden',
    404: 'not_found',
    405: 'failed',
    408: 'failed',
    409: 'conflict',
    412: 'conflict',
    413: 'usage',
    415: 'failed',
    417: 'failed',
    422: 'conflict',
    429: 'busy',
    431: 'failed',
    500: 'failed',
    502: 'failed',
    503: 'busy',
  };
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const expected = code === 'unexpected_response' ? 'unreachable' : byStatus[ERRORS[code].status];
    assert.equal(exitOf({ code }), expected, code);
  }
});

test('exitOf maps an unknown error code to failed', () => {
  assert.equal(exitOf({ code: 'from_tomorrow' as ErrorCode }), 'failed');
});
