import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '@davit/api';
import { untilDone } from './until-done.ts';

/** Returns a client whose event stream sends an event for each value of `events`, and then fails or stays open. */
function instance(events: AsyncIterable<unknown>): Client {
  return { live: { followEvents: () => events } } as unknown as Client;
}

const FAILING: AsyncIterable<never> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no event stream')) }),
};

/** Returns an event stream whose next event the caller sends. */
function sentLater() {
  const next = Promise.withResolvers<void>();
  async function* stream() {
    await next.promise;
    yield {};
    await new Promise(() => undefined);
  }
  return { stream: stream(), send: next.resolve };
}

const around = (client: Client, signal = new AbortController().signal) => ({ client: async () => client, signal });

test('untilDone reads again after an event', async () => {
  const { stream, send } = sentLater();
  let reads = 0;
  const read = async () => {
    reads += 1;
    send();
    return reads;
  };
  const waiting = { events: { kinds: 'app' }, read, isDone: (count: number) => count === 2, left: '' };

  assert.equal(await untilDone(around(instance(stream)), waiting), 2);
});

test('untilDone also ends without an event stream', async () => {
  let reads = 0;
  const read = async () => {
    reads += 1;
    return reads;
  };
  const waiting = { events: { kinds: 'app' }, read, isDone: (count: number) => count === 2, left: '' };

  assert.equal(await untilDone(around(instance(FAILING)), waiting, 1), 2);
});

test('untilDone says after Ctrl-C that the work continues', async () => {
  const leaving = new AbortController();
  const read = async () => leaving.abort();
  const waiting = { events: { kinds: 'app' }, read, isDone: () => false, left: 'It continues.' };

  await assert.rejects(untilDone(around(instance(FAILING), leaving.signal), waiting), {
    exit: 'interrupted',
    message: 'It continues.',
  });
});
