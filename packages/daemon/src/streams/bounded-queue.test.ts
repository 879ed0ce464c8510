import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BoundedQueue, FollowerTooSlow } from './bounded-queue.ts';

describe('bounded queue', () => {
  it('returns queued items, waits for new items, and then ends', async () => {
    const queue = new BoundedQueue<string>();
    queue.push('one');
    queue.push('two');

    assert.deepEqual(await queue.nextAll(), ['one', 'two']);
    const next = queue.next();
    queue.push('three');
    assert.equal(await next, 'three');
    queue.push('four');
    queue.push('five');
    queue.end();
    assert.equal(await queue.next(), 'four');
    assert.deepEqual(await queue.nextAll(), ['five']);
    assert.equal(await queue.next(), undefined);
    assert.equal(await queue.nextAll(), undefined);
  });

  it('delays writers while the queue is full by count or weight', async () => {
    const byNumber = new BoundedQueue<string>({ limit: 2 });
    const byWeight = new BoundedQueue<string>({ limit: 2, weightOf: (text) => text.length });
    assert.equal(byNumber.push('long'), undefined);
    const held = [byNumber.push('long'), byWeight.push('long')];
    assert.ok(held.every((one) => one instanceof Promise));
    assert.deepEqual([byNumber.isFull, byWeight.isFull, byWeight.weight], [true, true, 4]);

    await byNumber.next();
    await byWeight.nextAll();

    await Promise.all(held);
    assert.deepEqual([byNumber.isFull, byNumber.size, byWeight.weight], [false, 1, 0]);
  });

  it('releases a writer only when space is available', async () => {
    const queue = new BoundedQueue<number>({ limit: 2 });
    let isFree = false;
    for (const n of [1, 2, 3]) void queue.push(n)?.then(() => (isFree = true));

    await queue.next();
    await Promise.resolve();
    assert.equal(isFree, false);
    await queue.next();
    await Promise.resolve();
    assert.equal(isFree, true);
  });

  it('releases writers at the end and discards new items', async () => {
    const discarded: string[] = [];
    const queue = new BoundedQueue<string>({ limit: 1, onDiscard: (item) => discarded.push(item) });
    const held = queue.push('one');

    queue.end();
    assert.equal(queue.push('late'), undefined);

    await held;
    assert.deepEqual(discarded, ['late']);
    assert.deepEqual(await Array.fromAsync(queue), ['one']);
  });

  it('discards queued items after a failure and rejects each read', async () => {
    const discarded: number[] = [];
    const queue = new BoundedQueue<number>({ limit: 1, onDiscard: (item) => discarded.push(item) });
    const held = queue.push(1);

    queue.fail(new FollowerTooSlow('too many'));
    queue.push(2);

    await held;
    await assert.rejects(queue.next(), FollowerTooSlow);
    await assert.rejects(queue.nextAll(), FollowerTooSlow);
    assert.deepEqual(discarded, [1, 2]);
  });

  it('rejects a waiting reader if the queue fails', async () => {
    const queue = new BoundedQueue<number>();
    const next = queue.next();
    queue.fail(new Error('broken'));
    await assert.rejects(next, /broken/);
  });

  it('returns nothing after closing, even with queued items or a failure', async () => {
    const queue = new BoundedQueue<number>();
    queue.push(1);
    queue.fail(new Error('broken'));
    queue.close();
    assert.equal(await queue.next(), undefined);
    assert.equal(queue.size, 0);
  });

  it('ends the wait of a reader if its signal aborts, without ending the queue', async () => {
    const queue = new BoundedQueue<number>();
    const abort = new AbortController();
    const next = queue.next(abort.signal);
    abort.abort();
    assert.equal(await next, undefined);

    queue.push(1);
    assert.equal(await queue.next(abort.signal), 1);
    assert.equal(await queue.next(abort.signal), undefined);
  });

  it('accepts new items after the queue is cleared', async () => {
    const queue = new BoundedQueue<number>({ limit: 1 });
    const held = queue.push(1);
    queue.clear();
    await held;
    queue.push(2);
    assert.equal(await queue.next(), 2);
  });
});
