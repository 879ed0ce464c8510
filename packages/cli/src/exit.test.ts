import assert from 'node:assert/strict';
import test from 'node:test';
import { ERRORS } from '@davit/api';
import { EXIT, exitOfStatus } from './exit.ts';

test('exit codes are promises: one that is here stays what it is', () => {
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
    interrupted: 130,
  };
  assert.deepEqual({ ...codes, ...promised }, codes);
  assert.equal(new Set(Object.values(codes)).size, Object.values(codes).length, 'each means one thing');
});

test('what the instance answers has one exit', () => {
  const exits = Object.fromEntries(
    [...new Set(Object.values(ERRORS).map(({ status }) => status))]
      .sort()
      .map((status) => [status, exitOfStatus(status)]),
  );
  assert.deepEqual(exits, {
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
  });
});
