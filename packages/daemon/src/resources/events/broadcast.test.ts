import assert from 'node:assert/strict';
import test from 'node:test';
import { CoreHarness } from '../../../test/support/core-harness.ts';
import { unchecked } from '../../db/select.ts';
import { FollowerTooSlow } from '../../streams/bounded-queue.ts';
import { createProject } from '../projects/project.ts';
import { Live } from './broadcast.ts';
import { followEvents } from './event.ts';
import type { PublishedEvent } from './published-event.ts';

const silent = { onEvent: () => () => undefined };
const publishedEvent = (n: number, kind: PublishedEvent['kind'] = 'app'): PublishedEvent => {
  return { kind, projectId: null, appId: n, deploymentId: null, event: { id: n, event: null, data: null } };
};

test('a subscriber receives matching events in order from the subscription onward', async () => {
  const live = new Live(silent);
  const end = new AbortController();
  live.tell(publishedEvent(1));
  const following = live.follow(new Set(['app']), ({ appId }) => appId !== 3, end.signal);
  for (const n of [2, 3, 4]) live.tell(publishedEvent(n));
  live.tell(publishedEvent(5, 'metric'));

  const first = await following.next();
  const waiting = following.next();
  live.tell(publishedEvent(6));

  assert.deepEqual(
    [first, await waiting].map((events) => events?.map(({ id }) => id)),
    [[2, 4], [6]],
  );
  end.abort();
  assert.equal(await following.next(), null);
});

test('the event broadcast knows whether an event kind has subscribers', () => {
  const live = new Live(silent);
  const end = new AbortController();
  assert.equal(live.wants('metric'), false);
  live.follow(new Set(['metric']), () => true, end.signal);
  assert.equal(live.wants('metric'), true);
  end.abort();
  assert.equal(live.wants('metric'), false);
});

test('a slow subscriber fails without delaying other subscribers', async () => {
  const live = new Live(silent);
  const { signal } = new AbortController();
  const slow = live.follow(new Set(['app']), () => true, signal);
  const other = live.follow(new Set(['app']), () => true, signal);
  let seen = 0;
  for (let n = 0; n < 1_500; n++) {
    live.tell(publishedEvent(n));
    if (n % 100 === 99) seen += (await other.next())?.length ?? 0;
  }
  assert.equal(seen, 1_500);
  await assert.rejects(slow.next(), FollowerTooSlow);
});

test('an event committed during the delivery of another event is delivered afterwards', () => {
  using harness = new CoreHarness();
  const { store } = harness.core;
  const order: number[] = [];
  let more = true;
  store.onEvent(() => {
    if (more) {
      more = false;
      store.tx((tx) => tx.event({ kind: 'instance', data: { change: 'engine' } }));
    }
  });
  store.onEvent(({ seq }) => order.push(seq));

  createProject(harness.core, harness.admin, { slug: 'shop' });

  assert.ok(order.length > 1);
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
});

test('stored events are delivered in pages before new events', async () => {
  using harness = new CoreHarness();
  const { store } = harness.core;
  store.tx((tx) => {
    for (let n = 0; n < 1_200; n++) tx.event({ kind: 'app', data: { change: 'settings', revision: n } });
  });
  const end = new AbortController();
  const events = followEvents(harness.core, harness.admin, { after: 0, kinds: ['app'] })(end.signal);
  const ids: unknown[] = [];
  for await (const { id } of events) {
    ids.push(id);
    if (id === 700) store.tx((tx) => tx.event({ kind: 'app', data: { change: 'settings' } }));
    if (id === 1_201) break;
  }
  assert.deepEqual(
    ids,
    Array.from({ length: 1_201 }, (_, i) => i + 1),
  );
});

test('the database keeps only the configured number of events', () => {
  using harness = new CoreHarness();
  const { store } = harness.core;
  store.eventsKept = () => 1_500;
  store.tx((tx) => {
    for (let n = 0; n < 3_000; n++) tx.event({ kind: 'app', data: { change: 'settings' } });
  });
  assert.deepEqual(
    { ...store.get(unchecked<object>('SELECT min(seq) AS oldest, max(seq) AS newest FROM events')) },
    {
      oldest: 1_501,
      newest: 3_000,
    },
  );
});
