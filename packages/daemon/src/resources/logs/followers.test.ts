import assert from 'node:assert/strict';
import test from 'node:test';
import type { Chunk } from './chunk.ts';
import { Batch, Followers } from './followers.ts';
import { Sieve } from './search.ts';

const BYTES = 1024 * 1024;
const going = new AbortController().signal;

/** Returns a chunk with one line of 1 MiB. */
function chunk(first: number): Chunk {
  const text = Buffer.allocUnsafeSlow(BYTES).fill('x');
  text[BYTES - 1] = 0x0a;
  const table = [{ replica: '1-1', deployment: 1 }];
  return {
    first,
    count: 1,
    seconds: new Uint32Array(1),
    nanos: new Uint32Array(1),
    origins: new Uint16Array(1),
    table,
    text,
  };
}

test('log lines are freed from memory after the last reader continues', async () => {
  const followers = new Followers();
  const [one, other] = [followers.listen(going), followers.listen(going)];
  const begun = [one.next(), other.next()];
  const written = chunk(1);
  assert.ok(followers.publish([written]));
  await Promise.all(begun);

  void one.next();
  assert.equal(written.text.length, BYTES);
  await other.return(undefined);

  assert.equal(written.text.length, 0);
});

test('unread log lines of slow or disconnected readers take no memory', async () => {
  const followers = new Followers();
  const [leaves, slow] = [followers.listen(going), followers.listen(going)];
  const begun = [leaves.next(), slow.next()];
  const written = Array.from({ length: 8 }, (_, n) => chunk(n + 1));
  followers.publish(written.slice(0, 1));
  await Promise.all(begun);
  for (const one of written.slice(1)) followers.publish([one]);

  await leaves.return(undefined);
  await assert.rejects(slow.next());

  assert.deepEqual(
    written.map(({ text }) => text.length),
    Array(8).fill(0),
  );
});

test('a log page keeps its lines in memory during reading', () => {
  const batch = new Batch([chunk(1)]);
  const [page] = batch.pages(0, new Sieve({}));
  assert.equal(page?.kind === 'lines' && page.lines[0]?.line.length, BYTES - 1);
});
