import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { LogLine, LogMessage } from '../../live/live.ts';
import type { FeedParts } from './feed-parts.ts';
import { LogFeed } from './log-feed.ts';

const OPEN = { q: null, replica: null, stream: null, deployment: null };
const lineOf = (n: number, line = `line ${n}`): LogLine => ({
  replica: '1-1',
  stream: 'stdout',
  at: new Date(n).toISOString(),
  line,
});
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => lineOf(from + at));

/** Returns a simulated reader of stored log lines. */
function kept(all: () => LogLine[]): FeedParts['read'] {
  return async ({ since, until }, limit) => {
    const nanos = (at: string) => (at.length < 30 ? `${at.slice(0, -1)}000000Z` : at);
    const isIn = ({ at }: LogLine) => (since === null || at >= since) && (until === null || nanos(at) < nanos(until));
    const found = all().filter(isIn);
    return { lines: found.slice(-limit), more: found.length > limit };
  };
}

function feedOf(parts: Partial<FeedParts> & { all?: () => LogLine[] }) {
  const frames: (() => void)[] = [];
  let hear: (heard: LogMessage) => void = () => undefined;
  const feed = new LogFeed({
    follow: (listener) => {
      hear = listener;
      return () => undefined;
    },
    read: kept(parts.all ?? (() => [])),
    filter: OPEN,
    period: { since: null, until: null },
    onFrame: (callback) => frames.push(callback),
    clock: () => 0,
    ...parts,
  });
  const frame = async () => {
    await turn();
    for (const callback of frames.splice(0)) callback();
  };
  return { feed, frame, hear: (message: LogMessage) => hear(message) };
}

const shownBy = ({ buffer: { shown } }: LogFeed) =>
  shown.slice(0, shown.length).map(({ line, isGap }) => (isGap ? '…' : line));
const wanted = (from: number, to: number) => lines(from, to).map(({ line }) => line);

describe('followed log', () => {
  it('joins live and older lines without duplicates or gaps', async () => {
    const all = [...lines(1, 1_300), lineOf(1_300, 'same time a'), lineOf(1_300, 'same time b')];
    const { feed, frame, hear } = feedOf({ all: () => all });
    feed.start();
    hear({ kind: 'lines', lines: all.slice(-1) });
    await frame();
    while (feed.older.state === 'idle') {
      await feed.older.load();
      await frame();
    }
    assert.equal(feed.older.state, 'end');
    assert.deepEqual(shownBy(feed), [...wanted(1, 1_300), 'same time a', 'same time b']);
  });

  it('avoids duplicates if more lines than a page share a timestamp', async () => {
    const all = Array.from({ length: 1_700 }, (_, at) => lineOf(5, `line ${at}`));
    const { feed, frame, hear } = feedOf({ all: () => all });
    feed.start();
    hear({ kind: 'lines', lines: all.slice(-700) });
    await frame();
    while (feed.older.state === 'idle') {
      await feed.older.load();
      await frame();
    }
    assert.deepEqual(
      shownBy(feed),
      all.map(({ line }) => line),
    );
  });

  it('marks a gap and drops repeated lines after the gap', async () => {
    const { feed, frame, hear } = feedOf({});
    feed.start();
    hear({ kind: 'lines', lines: lines(1, 10) });
    hear({ kind: 'gap' });
    hear({ kind: 'lines', lines: lines(8, 12) });
    await frame();
    assert.deepEqual(shownBy(feed), wanted(1, 12));
    hear({ kind: 'gap' });
    hear({ kind: 'lines', lines: lines(20, 21) });
    await frame();
    assert.deepEqual(shownBy(feed), [...wanted(1, 12), '…', ...wanted(20, 21)]);
  });

  it('shows only live lines matching the filter', async () => {
    const { feed, frame, hear } = feedOf({ filter: { ...OPEN, q: '7' } });
    feed.start();
    hear({ kind: 'lines', lines: lines(1, 20) });
    await frame();
    assert.deepEqual(shownBy(feed), ['line 7', 'line 17']);
  });

  it('reports an empty log until the first line arrives', async () => {
    const { feed, frame, hear } = feedOf({});
    feed.start();
    await frame();
    assert.deepEqual([feed.older.isEmpty, feed.older.state], [true, 'end']);
    hear({ kind: 'lines', lines: lines(1, 1) });
    await frame();
    assert.deepEqual([feed.older.isEmpty, shownBy(feed)], [false, ['line 1']]);
  });

  it('reports the reason if the log is refused', async () => {
    const { feed, frame, hear } = feedOf({});
    feed.start();
    hear({ kind: 'refused', error: new Error('App not found.') });
    await frame();
    assert.equal(feed.refused?.message, 'App not found.');
  });

  it('keeps only the newest lines while the page renders no frames', async () => {
    const { feed, frame, hear } = feedOf({ bounds: { lines: 100, characters: 1e6 } });
    feed.start();
    hear({ kind: 'lines', lines: lines(1, 10) });
    await frame();
    for (let n = 1; n <= 10; n += 1) hear({ kind: 'lines', lines: lines(n * 50, n * 50 + 49) });
    await frame();
    assert.equal(feed.buffer.all.length <= 100, true);
    assert.equal(shownBy(feed).at(-1), 'line 549');
  });

  it('processes lines in slices and batches page notifications', async () => {
    let now = 0;
    const { feed, frame, hear } = feedOf({ clock: () => (now += 2) });
    let notifications = 0;
    feed.subscribe(() => (notifications += 1));
    feed.start();
    for (let n = 0; n < 100; n += 1) hear({ kind: 'lines', lines: lines(n * 10, n * 10 + 9) });
    await frame();
    assert.ok(feed.buffer.all.length < 100, 'the first frame takes a slice');
    for (let n = 0; n < 100; n += 1) await frame();
    assert.equal(feed.buffer.all.length, 1_000);
    assert.ok(notifications < 50, `${notifications}`);
  });
});

describe('log of a past period', () => {
  it('reads the period without following and excludes the end time', async () => {
    const all = lines(1, 2_000);
    const period = { since: new Date(100).toISOString(), until: new Date(900).toISOString() };
    const { feed, frame } = feedOf({ all: () => all, follow: null, period });
    feed.start();
    await frame();
    assert.equal(feed.isFollowed, false);
    while (feed.older.state === 'idle') await feed.older.load();
    assert.deepEqual(shownBy(feed), wanted(100, 899));
  });

  it('reports a read error and allows a retry', async () => {
    let isAway = true;
    const all = lines(1, 3);
    const read: FeedParts['read'] = async (...parameters) => {
      if (isAway) throw new Error('The instance cannot be reached.');
      return kept(() => all)(...parameters);
    };
    const { feed, frame } = feedOf({ follow: null, read });
    feed.start();
    await frame();
    assert.equal(feed.older.error?.message, 'The instance cannot be reached.');
    isAway = false;
    await feed.older.load();
    assert.deepEqual([feed.older.error, shownBy(feed)], [null, wanted(1, 3)]);
  });
});
