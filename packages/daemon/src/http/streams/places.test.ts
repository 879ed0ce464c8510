import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Places } from './places.ts';

const FULL = { code: 'too_many_requests', retryAfterS: 5 };

it('Places limits the open streams of each user separately', () => {
  const places = new Places('streams', { ofUser: () => 2 });
  places.take(1);
  places.take(1);

  assert.throws(() => places.take(1), { ...FULL, message: /^You have 2 streams open, .* Close one first\.$/ });
  places.take(2);
});

it('Places limits the open shells of all users together', () => {
  const places = new Places('shells', { ofUser: () => 2, ofAll: 3 });
  for (const user of [1, 2, 3]) places.take(user);

  assert.throws(() => places.take(null), { ...FULL, message: /^There are 3 shells open/ });
});

it('Places frees capacity a single time if a stream is released twice', () => {
  const places = new Places('streams', { ofUser: () => 1 });
  const giveBack = places.take(1);
  giveBack();
  giveBack();

  places.take(1);
  assert.throws(() => places.take(1), FULL);
});
