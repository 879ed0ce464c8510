import assert from 'node:assert/strict';
import test from 'node:test';
import { backoffMs, renewsAt } from './times.ts';

const HOUR = 3_600_000;
const certificate = (fingerprint: string, lifeMs: number) => ({ not_before: 0, not_after: lifeMs, fingerprint });

test('renewsAt returns about two thirds of a certificate lifetime', () => {
  for (const life of [6 * 24 * HOUR, 90 * 24 * HOUR, 365 * 24 * HOUR]) {
    for (let i = 0; i < 100; i++) {
      const share = renewsAt(certificate(`f${i}`, life)) / life;
      assert.ok(share >= 2 / 3 && share <= 2 / 3 + 1 / 30, String(share));
    }
  }
});

test('renewsAt spreads the renewals of certificates and is stable per certificate', () => {
  const all = Array.from({ length: 100 }, (_, i) => renewsAt(certificate(`f${i}`, 90 * 24 * HOUR)));

  assert.ok(new Set(all).size > 95);
  assert.deepEqual(
    all,
    all.map((_, i) => renewsAt(certificate(`f${i}`, 90 * 24 * HOUR))),
  );
});

test('backoffMs grows and allows at most four attempts in the first hour', () => {
  let at = 0;
  const tries = [0];
  for (let failures = 1; failures <= 10; failures++) {
    at += backoffMs(failures);
    tries.push(at);
  }

  assert.equal(tries.filter((when) => when < HOUR).length, 4);
  assert.equal(backoffMs(1), 60_000);
  assert.equal(backoffMs(100), 12 * HOUR);
});
