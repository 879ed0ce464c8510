import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import type { OrderCount, OrderOutcome } from '../../db/tables/certificate-order.ts';
import { authorityOf } from './authority.ts';
import { heldBack, limitsInUse } from './order-allowance.ts';

const LETS_ENCRYPT = authorityOf('https://acme-v02.api.letsencrypt.org/directory');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WEEK = 7 * 24 * HOUR;
const NOW = Date.parse('2026-03-01T12:00:00Z');

const order = (name: string, agoMs: number, outcome: OrderOutcome = 'issued', renewal = 0): OrderCount => ({
  project: null,
  name,
  outcome,
  renewal,
  started_at: NOW - agoMs,
});
const many = (count: number, make: (i: number) => OrderCount) =>
  Array.from({ length: count }, (_, i) => make(i)).toSorted((a, b) => a.started_at - b.started_at);
const held = (orders: OrderCount[], name: string, renewal = false) =>
  heldBack(LETS_ENCRYPT, orders, NOW)({ name, renewal });

describe('certificate order limits', () => {
  test('delay the fifty-first certificate for a domain until a week has passed', () => {
    const orders = many(50, (i) => order(`h${i}.example.com`, WEEK - HOUR - i * MINUTE));

    const found = held(orders, 'new.shop.example.com');

    assert.equal(found?.until, NOW + HOUR);
    assert.match(found?.reason ?? '', /is reached: 50 certificates a week for example\.com/);
    assert.match(found?.reason ?? '', /Davit requests the certificate again at 2026-03-01T13:00:00\.000Z\./);
    assert.equal(held(orders.slice(1), 'new.example.com'), null);
    assert.equal(held(orders, 'new.example.org'), null);
  });

  test('ignore renewals for the limit of certificates for a domain', () => {
    const orders = many(50, (i) => order(`h${i}.example.com`, HOUR));
    const renewals = many(50, (i) => order(`h${i}.example.com`, HOUR, 'issued', 1));

    assert.equal(held(orders, 'h1.example.com', true), null);
    assert.equal(held(renewals, 'new.example.com'), null);
  });

  test('refuse a sixth identical certificate in a week, including renewals', () => {
    const orders = many(5, (i) => order('a.example.com', i * HOUR, 'issued', 1));

    assert.match(held(orders, 'a.example.com', true)?.reason ?? '', /5 identical certificates a week/);
    assert.equal(held(orders, 'b.example.com', true), null);
  });

  test('delay only a host with five failures in an hour', () => {
    const orders = many(5, (i) => order('a.example.com', i * MINUTE, 'invalid'));

    assert.equal(held(orders, 'a.example.com')?.until, NOW - 4 * MINUTE + HOUR);
    assert.equal(held(orders, 'b.example.com'), null);
  });

  test('allow 300 orders in three hours without counting unreached authorities', () => {
    const orders = many(300, (i) => order(`h${i}.d${i}.example`, HOUR, 'refused'));
    const unreached = many(300, (i) => order(`h${i}.d${i}.example`, HOUR, 'unreached'));

    assert.match(held(orders, 'x.example.net')?.reason ?? '', /300 certificate requests in three hours/);
    assert.equal(held(unreached, 'x.example.net'), null);
  });

  test('count an interrupted order like a completed order', () => {
    const orders = many(5, (i) => order('a.example.com', i * HOUR, 'interrupted'));

    assert.notEqual(held(orders, 'a.example.com'), null);
  });

  test('return the first time at which an order is allowed', () => {
    const orders = many(5, (i) => order('a.example.com', i * MINUTE, 'invalid'));
    const until = held(orders, 'a.example.com')?.until ?? 0;
    const at = (now: number) => heldBack(LETS_ENCRYPT, orders, now)({ name: 'a.example.com', renewal: false });

    assert.equal(at(until - 1)?.until, until);
    assert.equal(at(until), null);
  });

  test('ignore orders with a start time in the future', () => {
    const orders = many(5, (i) => order('a.example.com', i * HOUR - 365 * 24 * HOUR));

    assert.equal(held(orders, 'a.example.com'), null);
    assert.equal(limitsInUse(LETS_ENCRYPT, orders, NOW)[0]?.used, 0);
  });

  test('do not apply to an authority with unknown limits', () => {
    const own = authorityOf('https://ca.internal.example:14000/dir');

    assert.equal(
      heldBack(
        own,
        many(1_000, () => order('a.example', 0)),
        NOW,
      )({ name: 'a.example', renewal: false }),
      null,
    );
    assert.deepEqual(limitsInUse(own, [], NOW), []);
  });

  test('are shown in total and for each registered domain', () => {
    const orders = [order('a.example.com', 2 * HOUR), order('b.example.com', HOUR), order('c.example.co.uk', 0)];

    const shown = limitsInUse(LETS_ENCRYPT, orders, NOW).map(({ limit, subject, used }) => [limit, subject, used]);

    assert.deepEqual(shown, [
      ['orders', null, 3],
      ['certificates_per_domain', 'example.com', 2],
      ['certificates_per_domain', 'example.co.uk', 1],
    ]);
  });
});
