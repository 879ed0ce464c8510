import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DavitError } from '@davit/api';
import { type Attempt, Throttle } from './throttle.ts';

const wrong = async () => false;
const right = async () => true;
const ADA: Attempt = { account: 'ada', address: '10.0.0.1', exists: true, capped: true };
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const refused = (retryAfterS?: number) => (error: DavitError) =>
  error.code === 'too_many_requests' && (retryAfterS === undefined || error.retryAfterS === retryAfterS);

describe('failed login attempts', () => {
  it('are refused after ten attempts for the same account and network', async () => {
    let now = 0;
    const throttle = new Throttle(() => now);
    const from = (address: string, account = 'ada') => throttle.attempt({ ...ADA, account, address }, right);
    for (let i = 0; i < 10; i++) await throttle.attempt({ ...ADA, address: `10.0.0.${i}` }, wrong);

    await assert.rejects(from('10.0.0.1'), refused(900));
    await assert.rejects(from('10.0.0.200'), refused(900));
    assert.equal(await from('10.0.1.1'), true);
    assert.equal(await from('10.0.0.1', 'bob'), true);
    now = 15 * MINUTE;
    assert.equal(await from('10.0.0.1'), true);
  });

  it('count together for all IPv6 addresses of a /56 network', async () => {
    const throttle = new Throttle(() => 0);
    for (let i = 0; i < 10; i++) await throttle.attempt({ ...ADA, address: `2001:db8:1:2${i}0::${i}` }, wrong);
    await assert.rejects(throttle.attempt({ ...ADA, address: '2001:db8:1:2ff::1' }, right), refused());
    assert.equal(await throttle.attempt({ ...ADA, address: '2001:db8:1:300::1' }, right), true);
  });

  it('are counted while the attempts are still running', async () => {
    const throttle = new Throttle(() => 0);
    let tried = 0;
    const attempts = Array.from({ length: 50 }, () =>
      throttle.attempt(ADA, async () => {
        tried += 1;
        return false;
      }),
    );
    await Promise.allSettled(attempts);
    assert.equal(tried, 10);
  });

  it('are reset by a success and not counted if the check did not run', async () => {
    const throttle = new Throttle(() => 0);
    const busy = async () => {
      throw new DavitError('too_many_requests');
    };
    for (let i = 0; i < 9; i++) await throttle.attempt(ADA, wrong);
    for (let i = 0; i < 9; i++) await assert.rejects(throttle.attempt(ADA, busy));
    assert.equal(await throttle.attempt(ADA, right), true);
    for (let i = 0; i < 9; i++) await throttle.attempt(ADA, wrong);
    assert.equal(await throttle.attempt(ADA, right), true);
  });

  for (const exists of [true, false]) {
    const whose = exists ? 'an account' : 'an unknown user name';
    it(`for ${whose} are limited to a hundred a day except from known networks`, async () => {
      let now = 0;
      const throttle = new Throttle(() => now);
      const guess = (n: number) => throttle.attempt({ ...ADA, exists, address: `10.0.${n}.1` }, wrong);
      for (let n = 0; n < 100; n++) assert.equal(await guess(n), false);
      now = MINUTE;

      await assert.rejects(guess(100), refused((DAY - MINUTE) / 1_000));
      assert.equal(await throttle.attempt({ ...ADA, exists, capped: false, address: '192.0.2.1' }, right), true);
      await assert.rejects(guess(101), refused());
      now = DAY;
      assert.equal(await guess(102), false);
    });
  }

  it('remain counted for an account despite attempts with many invented names', async () => {
    const throttle = new Throttle(() => 0);
    for (let i = 0; i < 10; i++) await throttle.attempt(ADA, wrong);
    for (let i = 0; i < 70_000; i++) {
      await throttle.attempt({ account: `name${i}`, address: '10.0.0.1', exists: false, capped: true }, wrong);
    }
    await assert.rejects(throttle.attempt(ADA, right), refused());
  });
});

describe('login attempts', () => {
  it('are limited to sixty a minute for an address', () => {
    let now = 0;
    const throttle = new Throttle(() => now);
    for (let i = 0; i < 60; i++) throttle.pace('10.0.0.1');
    now = 20_000;
    assert.throws(() => throttle.pace('10.0.0.1'), refused(40));
    assert.throws(() => throttle.pace('::ffff:10.0.0.1'), refused(40));
    throttle.pace('10.0.0.2');
    now = MINUTE;
    throttle.pace('10.0.0.1');
  });

  it('count together for all addresses of an IPv6 host', () => {
    const throttle = new Throttle(() => 0);
    for (let i = 0; i < 60; i++) throttle.pace(`2001:db8::${i.toString(16)}`);
    assert.throws(() => throttle.pace('2001:db8::ffff'), refused());
    throttle.pace('2001:db8:0:1::1');
  });
});
