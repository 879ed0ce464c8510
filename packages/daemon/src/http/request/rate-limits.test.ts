import assert from 'node:assert/strict';
import { it } from 'node:test';
import { InstanceSettings } from '@davit/api';
import type { Actor } from '../../auth/context.ts';
import { RateLimits } from './rate-limits.ts';

const actor = (userId: number | null) => ({ userId }) as Actor;

it('a caller can use a minute’s requests immediately, then a constant rate', () => {
  let most = 60;
  const limits = new RateLimits(() => InstanceSettings.parse({ api: { requests_per_minute: most } }));
  assert.deepEqual(limits.take(actor(1), 0), { policy: '"caller";q=60;w=60', left: '"caller";r=59;t=1' });
  for (let n = 0; n < 58; n++) limits.take(actor(1), 0);
  assert.equal(limits.take(actor(1), 0).left, '"caller";r=0;t=60');

  assert.throws(() => limits.take(actor(1), 0), { code: 'too_many_requests', retryAfterS: 1 });
  assert.throws(() => limits.take(actor(1), 900), { code: 'too_many_requests' });
  assert.equal(limits.take(actor(1), 1_100).left, '"caller";r=0;t=60');
  assert.equal(limits.take(actor(2), 1_100).left, '"caller";r=59;t=1');
  assert.equal(limits.take(actor(null), 1_100).left, '"caller";r=59;t=1');
  assert.equal(limits.take(actor(1), 10_000_000).left, '"caller";r=59;t=1');

  most = 120;
  assert.equal(limits.take(actor(1), 10_000_000).policy, '"caller";q=120;w=60');
});

it('RateLimits discards the oldest buckets if the number is too large', () => {
  const limits = new RateLimits(() => InstanceSettings.parse({ api: { requests_per_minute: 60 } }));
  for (let user = 0; user < 20_000; user++) limits.take(actor(user), 0);
  assert.equal(limits.take(actor(0), 0).left, '"caller";r=59;t=1');
  assert.equal(limits.take(actor(19_999), 0).left, '"caller";r=58;t=2');
});
