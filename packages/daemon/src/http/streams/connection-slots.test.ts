import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ConnectionSlots } from './connection-slots.ts';

const FULL = { code: 'too_many_requests', retryAfterS: 5 };

it('Places limits the open streams of each user separately', () => {
  const slots = new ConnectionSlots('streams', { ofUser: () => 2 });
  slots.take(1);
  slots.take(1);

  assert.throws(() => slots.take(1), { ...FULL, message: /^You have 2 streams open, .* Close one first\.$/ });
  slots.take(2);
});

it('Places limits the open shells of all users together', () => {
  const slots = new ConnectionSlots('shells', { ofUser: () => 2, ofAll: 3 });
  for (const user of [1, 2, 3]) slots.take(user);

  assert.throws(() => slots.take(null), { ...FULL, message: /^There are 3 shells open/ });
});

it('Places frees capacity a single time if a stream is released twice', () => {
  const slots = new ConnectionSlots('streams', { ofUser: () => 1 });
  const giveBack = slots.take(1);
  giveBack();
  giveBack();

  slots.take(1);
  assert.throws(() => slots.take(1), FULL);
});
