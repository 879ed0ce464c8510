import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { packed, unpacked } from './packing.ts';

async function* said(words: readonly string[], on: (what: string) => void = () => undefined) {
  on('begun');
  try {
    for (const word of words) yield Buffer.from(word);
  } finally {
    on('ended');
  }
}

describe('packed streams', () => {
  it('contain the same bytes after unpacking', async () => {
    const out = await Array.fromAsync(unpacked(packed(said(['one ', 'two']))));
    assert.equal(Buffer.concat(out).toString(), 'one two');
  });

  it('do not start the source before the first read', async () => {
    const seen: string[] = [];
    const bytes = packed(said(['one'], (what) => seen.push(what)));
    await new Promise(setImmediate);
    assert.deepEqual(seen, []);
    await Array.fromAsync(bytes);
    assert.deepEqual(seen, ['begun', 'ended']);
  });

  it('close the source if the reader stops early', async () => {
    const ended = Promise.withResolvers<void>();
    const words = Array.from({ length: 5_000 }, (_, number) => `${number} `.repeat(500));
    for await (const chunk of packed(said(words, (what) => what === 'ended' && ended.resolve()))) {
      assert.ok(chunk.length > 0);
      break;
    }
    await ended.promise;
  });

  it('throw the error of the source', async () => {
    async function* broken() {
      yield Buffer.from('one');
      throw new Error('the tool failed');
    }
    await assert.rejects(Array.fromAsync(packed(broken())), /the tool failed/);
  });
});
