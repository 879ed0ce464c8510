import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DavitError } from '@davit/api';
import { Throttle } from './throttle.ts';

const wrong = async () => false;
const right = async () => true;

describe('failed attempts', () => {
  it('are refused after ten, for the account and the address they came from', async () => {
    let now = 0;
    const throttle = new Throttle(() => now);
    for (let i = 0; i < 10; i++) await throttle.attempt('ada', '10.0.0.1', wrong);

    await assert.rejects(throttle.attempt('ada', '10.0.0.1', right), (e: DavitError) => e.retryAfterS === 900);
    assert.equal(await throttle.attempt('ada', '10.0.0.2', right), true);
    assert.equal(await throttle.attempt('bob', '10.0.0.1', right), true);
    now = 15 * 60_000;
    assert.equal(await throttle.attempt('ada', '10.0.0.1', right), true);
  });

  it('are counted while they run', async () => {
    const throttle = new Throttle(() => 0);
    let tried = 0;
    const attempts = Array.from({ length: 50 }, () =>
      throttle.attempt('ada', '10.0.0.1', async () => {
        tried += 1;
        return false;
      }),
    );
    await Promise.allSettled(attempts);
    assert.equal(tried, 10);
  });

  it('are forgotten by a success, and do not count when nothing was tried', async () => {
    const throttle = new Throttle(() => 0);
    const busy = async () => {
      throw new DavitError('too_many_requests');
    };
    for (let i = 0; i < 9; i++) await throttle.attempt('ada', 'a', wrong);
    for (let i = 0; i < 9; i++) await assert.rejects(throttle.attempt('ada', 'a', busy));
    assert.equal(await throttle.attempt('ada', 'a', right), true);
    for (let i = 0; i < 9; i++) await throttle.attempt('ada', 'a', wrong);
    assert.equal(await throttle.attempt('ada', 'a', right), true);
  });
});
