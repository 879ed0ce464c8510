import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeStreams } from './merge.ts';

/** A source that yields the items that a test passes, and ends or fails on demand. */
class Fed<T> implements AsyncIterator<T> {
  #waiting: PromiseWithResolvers<IteratorResult<T>> | null = null;
  pulls = 0;
  isReturned = false;

  next(): Promise<IteratorResult<T>> {
    this.pulls += 1;
    this.#waiting = Promise.withResolvers();
    return this.#waiting.promise;
  }

  async return(): Promise<IteratorResult<T>> {
    this.isReturned = true;
    return { done: true, value: undefined };
  }

  feed(value: T): void {
    this.#waiting?.resolve({ done: false, value });
  }

  end(): void {
    this.#waiting?.resolve({ done: true, value: undefined });
  }

  fail(error: Error): void {
    this.#waiting?.reject(error);
  }
}

describe('mergeStreams', () => {
  it('yields items in order of arrival from all sources', async () => {
    const [main, other] = [new Fed<string>(), new Fed<string>()];
    const all = mergeStreams(main, [other]);
    const first = all.next();
    other.feed('of the other');
    assert.equal((await first).value, 'of the other');
    const second = all.next();
    main.feed('of the first');
    assert.equal((await second).value, 'of the first');
  });

  it('pulls the next item of a source only after the reader continues', async () => {
    const [main, other] = [new Fed<number>(), new Fed<number>()];
    const all = mergeStreams(main, [other]);
    const first = all.next();
    other.feed(1);
    await first;
    assert.equal(other.pulls, 1);
    void all.next();
    assert.equal(other.pulls, 2);
    assert.equal(main.pulls, 1);
  });

  it('continues if another source ends and ends with the main source', async () => {
    const [main, other] = [new Fed<number>(), new Fed<number>()];
    const all = mergeStreams(main, [other]);
    const next = all.next();
    other.end();
    main.feed(1);
    assert.deepEqual(await next, { done: false, value: 1 });
    const last = all.next();
    main.end();
    assert.equal((await last).done, true);
    assert.ok(other.isReturned);
  });

  it('fails if any source fails, after items that arrived earlier', async () => {
    const [main, other] = [new Fed<number>(), new Fed<number>()];
    const all = mergeStreams(main, [other]);
    const next = all.next();
    main.feed(1);
    other.fail(new Error('too slow'));
    assert.equal((await next).value, 1);
    await assert.rejects(all.next(), /too slow/);
    assert.ok(main.isReturned);
  });
});
