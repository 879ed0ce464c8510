import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LogLine } from '../engine/logs.ts';
import { LineFeed } from './line-feed.ts';

const line = (text: string): LogLine => ({ at: new Date(0), stream: 'stdout', line: text });
const texts = (lines: LogLine[] | null) => lines?.map((one) => one.line) ?? null;

describe('a feed of lines', () => {
  it('gives what there is at once, then waits for more, then ends', async () => {
    const feed = new LineFeed();
    feed.push(line('one'));
    feed.push(line('two'));

    assert.deepEqual(texts(await feed.next()), ['one', 'two']);
    const next = feed.next();
    feed.push(line('three'));
    assert.deepEqual(texts(await next), ['three']);
    feed.push(line('four'));
    feed.end();
    assert.deepEqual(texts(await feed.next()), ['four']);
    assert.equal(await feed.next(), null);
  });

  it('holds the writer up while much is waiting, by lines or by their length', async () => {
    for (const [text, count] of [
      ['x', 1_000],
      ['x'.repeat(1024), 256],
    ] as const) {
      const feed = new LineFeed();
      for (let i = 1; i < count; i++) assert.equal(feed.push(line(text)), undefined);

      const held = feed.push(line(text));

      assert.ok(held instanceof Promise);
      assert.equal((await feed.next())?.length, count);
      await held;
      assert.equal(feed.push(line(text)), undefined);
    }
  });

  it('lets the writer go when it ends, and keeps nothing more', async () => {
    const feed = new LineFeed();
    const held = feed.push(line('x'.repeat(1024 * 1024)));

    feed.end();

    await held;
    assert.equal(feed.push(line('late')), undefined);
    assert.equal((await feed.next())?.length, 1);
    assert.equal(await feed.next(), null);
  });
});
