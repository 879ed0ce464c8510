import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { MetricWindow } from '@davit/api';
import { createLogger } from '@davit/service';
import { CoreHarness } from '../../../test/support/core-harness.ts';
import type { AccessLine } from '../../adapters/proxy/access-log.ts';
import { createMemoryAccessLog } from '../../adapters/proxy/memory/memory-access-log.ts';
import { forgetApp } from '../../db/tables/deleted.ts';
import { appOfSlot, trafficRows } from '../../db/tables/traffic.ts';
import { Traffic } from './traffic.ts';

const LOG = createLogger({ level: 'error', destination: { write: () => undefined } });
const MINUTE = 60_000;
const BEGIN = Date.parse('2026-01-01T00:00:00Z');

describe('the traffic counter', () => {
  let harness: CoreHarness;
  let traffic: Traffic;
  let clock: number;
  /** Log lines and requests of the only backend, in the only process of the proxy. */
  let count: { lines: number; requests: number };
  const parts = () => ({ store: harness.core.store, now: () => clock });

  beforeEach(async () => {
    harness = CoreHarness.withApp();
    harness.addApp('api');
    clock = BEGIN;
    count = { lines: 0, requests: 0 };
    traffic = new Traffic(parts(), LOG);
    await begin();
  });
  afterEach(async () => {
    await traffic[Symbol.asyncDispose]();
    harness[Symbol.dispose]();
  });

  /** Starts the counter without its timer. */
  async function begin() {
    await traffic.start(createMemoryAccessLog());
  }

  function line(fields: Partial<AccessLine> = {}): AccessLine {
    count = { lines: count.lines + 1, requests: count.requests + 1 };
    const usual = { process: 1, slot: 1, at: clock, status: 200, ms: 5, bytes: 100, sampled: false, host: 'a.example' };
    return { ...usual, ...count, ...fields };
  }

  /** Counts requests whose lines never arrive. */
  function lose(lost: number) {
    count = { lines: count.lines + lost, requests: count.requests + lost };
  }

  /** Advances the clock and calls `tick` like the timer. */
  function pass(ms: number) {
    for (const until = clock + ms; clock < until; ) {
      clock += 10_000;
      traffic.tick();
    }
  }

  async function restart(how: 'stop' | 'kill') {
    if (how === 'stop') await traffic[Symbol.asyncDispose]();
    traffic = new Traffic(parts(), LOG);
    await begin();
  }

  const steps = (window: MetricWindow = '1h', app = harness.app().id) => traffic.app(app, window).steps;
  const found = (window: MetricWindow = '1h', app?: number) =>
    steps(window, app).flatMap(({ traffic: one }) => (one && one.requests + one.missed > 0 ? [one] : []));
  const total = (window: MetricWindow = '1h') => {
    const all = found(window);
    const sum = (field: 'requests' | 'missed' | 'told' | 'serverErrors' | 'clientErrors' | 'bytes') =>
      all.reduce((so, one) => so + one[field], 0);
    return { requests: sum('requests'), missed: sum('missed'), told: sum('told') };
  };

  it('counts each request with its status, size and duration', () => {
    traffic.take([line(), line({ status: 404 }), line({ status: 503, ms: null }), line({ ms: 200 })]);
    pass(20_000);

    const [step] = found();
    assert.equal(step?.requests, 4);
    assert.equal(step?.missed, 0);
    assert.equal(step?.clientErrors, 1);
    assert.equal(step?.serverErrors, 1);
    assert.equal(step?.bytes, 400);
    assert.equal(step?.durations.total, 3);
    assert.equal(step?.durations.quantile(0.5), 5);
    assert.deepEqual(found('1h', harness.app('api').id), []);
  });

  it('reports zero for steps without requests and null for unobserved steps', () => {
    pass(30_000);

    const all = steps();
    assert.equal(all.length, 360);
    assert.equal(all[0]?.traffic, null);
    assert.equal(all.at(-1)?.traffic?.requests, 0);
  });

  it('counts concurrent requests once, regardless of when their lines are written', () => {
    count = { lines: 0, requests: 9 };
    traffic.take([line()]);
    for (let n = 2; n <= 10; n += 1) traffic.take([line({ requests: 10, lines: n })]);
    pass(20_000);

    assert.deepEqual(total(), { requests: 10, missed: 0, told: 10 });
  });

  it('reports requests with lost lines as missed, once each', () => {
    traffic.take([line()]);
    lose(7);
    traffic.take([line()]);
    pass(20_000);

    assert.deepEqual(total(), { requests: 2, missed: 7, told: 2 });
  });

  it('reports no missed request if lines arrive out of order', () => {
    const [first, second, third] = [line(), line(), line()];
    traffic.take([first, third, second]);
    pass(20_000);

    assert.deepEqual(total(), { requests: 3, missed: 0, told: 3 });
  });

  it('reports no missed request if lines arrive out of order between steps', () => {
    const [first, second] = [line({ at: BEGIN + 9_999 }), line({ at: BEGIN + 10_000 })];
    clock += 10_000;
    traffic.take([second, first]);
    pass(20_000);

    assert.deepEqual(total(), { requests: 2, missed: 0, told: 2 });
  });

  it('counts all requests if the proxy logs only a sample', () => {
    traffic.take([line()]);
    for (let n = 0; n < 10; n += 1) {
      count.requests += 9;
      traffic.take([line({ sampled: true })]);
    }
    pass(20_000);

    assert.deepEqual(total(), { requests: 101, missed: 0, told: 11 });
    assert.equal(found()[0]?.sampled, 10);
    assert.equal(traffic.totals().get(harness.app().id)?.byClass[2], 101);
  });

  it('counts requests without a line at the end of sampling', () => {
    traffic.take([line({ sampled: true })]);
    count.requests += 40;
    traffic.take([line(), line()]);
    pass(20_000);

    assert.deepEqual(total(), { requests: 43, missed: 0, told: 3 });
    assert.equal(traffic.totals().get(harness.app().id)?.byClass[2], 43);
  });

  it('counts requests without a line even if sampled lines are lost', () => {
    traffic.take([line({ sampled: true })]);
    count = { lines: count.lines + 4, requests: count.requests + 49 };
    traffic.take([line({ sampled: true })]);
    pass(20_000);

    const { requests, missed } = total();
    assert.deepEqual({ requests, missed }, { requests: 47, missed: 4 });
  });

  it('starts new counts for each process of the proxy', () => {
    traffic.take([line(), line()]);
    count = { lines: 0, requests: 0 };
    traffic.take([line({ process: 2 }), line({ process: 2 })]);
    traffic.take([{ ...line({ process: 1 }), lines: 3, requests: 3 }]);
    pass(20_000);

    assert.deepEqual(total(), { requests: 5, missed: 0, told: 5 });
  });

  it('does not count requests of a removed app for the next app', () => {
    const removed = harness.app().id;
    traffic.take([line()]);
    count = { lines: 1, requests: 30 };
    harness.core.store.tx((tx) => forgetApp(tx, removed));
    harness.addApp('web');
    assert.equal(appOfSlot(harness.core.store, 1), harness.app().id);

    traffic.take([line(), line()]);
    pass(20_000);

    assert.deepEqual(total(), { requests: 1, missed: 0, told: 1 });
  });

  it('ignores requests to a backend without an app', () => {
    traffic.take([line({ slot: 99 })]);
    pass(20_000);

    assert.deepEqual(found(), []);
  });

  it('combines steps into longer steps without losing requests', () => {
    for (let n = 0; n < 180; n += 1) {
      traffic.take([line({ ms: n })]);
      pass(10_000);
    }
    pass(2 * MINUTE);

    for (const window of ['1h', '6h', '24h', '7d'] as const) {
      assert.deepEqual(total(window), { requests: 180, missed: 0, told: 180 }, window);
    }
    const week = found('7d')[0];
    assert.ok(Math.abs((week?.durations.quantile(0.5) ?? 0) - 90) <= 6);
  });

  for (const how of ['stop', 'kill'] as const) {
    it(`continues after a ${how} and reports unwritten requests as missed`, async () => {
      for (let n = 0; n < 9; n += 1) {
        traffic.take([line()]);
        pass(10_000);
      }
      await restart(how);
      traffic.take([line()]);
      pass(MINUTE);

      const { requests, missed } = total();
      assert.equal(requests + missed, 10);
      assert.equal(missed, how === 'stop' ? 0 : 2);
    });
  }

  it('assigns log lines from a downtime to the time of each request', async () => {
    traffic.take([line()]);
    await traffic[Symbol.asyncDispose]();
    const kept = [1, 2, 3].map((n) => line({ at: BEGIN + n * MINUTE }));
    clock = BEGIN + 5 * MINUTE;
    traffic = new Traffic(parts(), LOG);
    await begin();
    traffic.take(kept);
    pass(2 * MINUTE);

    const at = steps().flatMap((one) => (one.traffic && one.traffic.requests > 0 ? [one.at] : []));
    assert.deepEqual(
      at.map((end) => (end - BEGIN) / MINUTE),
      [0, 1, 2, 3].map((n) => n + 1 / 6),
    );
  });

  it('stores no more steps than the time window shows', () => {
    pass(90 * MINUTE);

    const rows = trafficRows(harness.core.store, 10, 0, Number.MAX_SAFE_INTEGER);
    assert.ok(rows.length <= 363, `${rows.length} rows`);
    assert.ok(rows.every(({ data }) => data.byteLength === 4));
  });

  it('reports each host of an app only once', () => {
    const hosts: string[] = [];
    traffic.onHost((host) => hosts.push(host));

    traffic.take([line({ host: 'a.example' }), line({ host: 'b.example' }), line({ host: 'a.example' })]);
    traffic.take([line({ host: 'b.example' }), line({ host: 'other.example', slot: 99 })]);

    assert.deepEqual(hosts, ['a.example', 'b.example']);
  });
});
