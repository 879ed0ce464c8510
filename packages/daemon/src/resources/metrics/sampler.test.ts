import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createLogger } from '@davit/service';
import { CoreHarness } from '../../../test/support/core-harness.ts';
import { EngineUnavailable } from '../../adapters/engine/errors.ts';
import type { InstanceUsage } from '../../adapters/engine/instance.ts';
import { metricRows } from '../../db/tables/metric.ts';
import { writeSetting } from '../../db/tables/settings.ts';
import type { Measured } from './metrics.ts';
import { Sampler } from './sampler.ts';

const LOG = createLogger({ level: 'error', destination: { write: () => undefined } });
const SECOND = 1_000;

describe('the metrics sampler', () => {
  let harness: CoreHarness;
  let sampler: Sampler;
  let clock: number;
  let usage: Map<string, Partial<InstanceUsage>>;
  const parts = () => ({
    store: harness.core.store,
    settings: harness.core.settings,
    facts: { dataDir: tmpdir() },
    now: () => clock,
    engine: { ...harness.engine, usage: async () => filled() },
  });
  const filled = () => {
    const zero = { cpuNs: 0, memoryBytes: 0, memoryLimitBytes: null, receivedBytes: 0, sentBytes: 0 };
    return new Map([...usage].map(([id, used]) => [id, { at: new Date(clock), ...zero, ...used }]));
  };
  /** Advances the clock and measures once. */
  const round = async (seconds = 10) => {
    clock += seconds * SECOND;
    await sampler.sample();
  };

  beforeEach(() => {
    harness = CoreHarness.withApp();
    clock = Date.parse('2026-01-01T00:00:00Z');
    usage = new Map();
    sampler = new Sampler(parts(), LOG);
  });
  afterEach(async () => {
    await sampler[Symbol.asyncDispose]();
    harness[Symbol.dispose]();
  });

  const newest = (count = 1) =>
    sampler
      .app(harness.app().id, '1h')
      .samples.slice(-count)
      .map(({ sample }) => sample);

  it('adds up all replicas of an app across two releases', async () => {
    const [first = '', second = ''] = await harness.runContainers(harness.release({ replicas: 2 }));
    const [third = ''] = await harness.runContainers(harness.release({ tag: 'v2' }));
    const [a, b, c] = [{ memoryBytes: 10, memoryLimitBytes: 100 }, { memoryBytes: 20 }, { memoryBytes: 30 }];
    usage = new Map([first, second, third].map((id, i) => [id, [a, b, c][i] ?? {}]));
    await round();

    usage = new Map([
      [first, { ...a, cpuNs: 5e9, receivedBytes: 1_000 }],
      [second, { ...b, cpuNs: 1e9, sentBytes: 500, memoryLimitBytes: 100 }],
      [third, { ...c, cpuNs: 2e9, memoryLimitBytes: 100 }],
    ]);
    await round();

    assert.deepEqual(newest(), [
      {
        cpuPercent: 80,
        memoryBytes: 60,
        memoryLimitBytes: 300,
        receivedBytesPerS: 100,
        sentBytesPerS: 50,
        replicas: 3,
      },
    ]);
    assert.equal(sampler.latest().get(harness.app().id)?.cpuPercent, 80);
    assert.deepEqual(sampler.totals().get(harness.app().id), { cpuS: 8, receivedBytes: 1_000, sentBytes: 500 });
  });

  it('never shows a negative rate after a container restarts', async () => {
    const [id = ''] = await harness.runContainers(harness.release());
    usage = new Map([[id, { cpuNs: 100e9, receivedBytes: 1e9 }]]);
    await round();
    usage = new Map([[id, { cpuNs: 1e9, receivedBytes: 10 }]]);
    await round();

    assert.deepEqual([newest()[0]?.cpuPercent, newest()[0]?.receivedBytesPerS], [10, 1]);
  });

  it('shows missed measurements as gaps, and the newest gap only after a delay', async () => {
    const [id = ''] = await harness.runContainers(harness.release());
    usage = new Map([[id, { cpuNs: 0 }]]);
    await round();
    await round();
    await round(60);
    await round();

    assert.deepEqual(
      newest(8).map((sample) => sample !== null),
      [true, false, false, false, false, false, false, true],
    );
    clock += 9_999;
    assert.ok(newest()[0]);
    clock += 10_001;
    assert.equal(newest()[0], null);
  });

  it('returns samples with the right step for each time window', async () => {
    const [id = ''] = await harness.runContainers(harness.release());
    for (let n = 0; n < 200; n += 1) {
      usage = new Map([[id, { cpuNs: n * 1e9, memoryBytes: n }]]);
      await round();
    }

    const last = (window: '6h' | '24h' | '7d') => {
      const { stepS, samples } = sampler.app(harness.app().id, window);
      return [stepS, samples.length, samples.at(-1)?.sample?.cpuPercent, samples.at(-1)?.sample?.memoryBytes];
    };
    assert.deepEqual(last('6h'), [60, 360, 10, 197]);
    assert.deepEqual(last('24h'), [300, 288, 10, 179]);
    assert.deepEqual(last('7d'), [1_800, 336, 10, 179]);
  });

  it('resumes with stored measurements after a restart, even within a step', async () => {
    const [id = ''] = await harness.runContainers(harness.release());
    for (let n = 0; n < 40; n += 1) {
      usage = new Map([[id, { cpuNs: n * 1e9 }]]);
      await round();
    }
    const before = sampler.app(harness.app().id, '1h');
    await sampler[Symbol.asyncDispose]();

    sampler = new Sampler(parts(), LOG);
    assert.deepEqual(sampler.app(harness.app().id, '1h'), before);
    for (let n = 40; n < 70; n += 1) {
      usage = new Map([[id, { cpuNs: n * 1e9 }]]);
      await round();
    }

    const steps = sampler.app(harness.app().id, '24h').samples.slice(-2);
    assert.deepEqual(
      steps.map(({ sample }) => sample?.cpuPercent),
      [10, 10],
    );
  });

  it('continues the totals after all replicas of an app are replaced', async () => {
    const [first = ''] = await harness.runContainers(harness.release());
    usage = new Map([[first, {}]]);
    await round();
    usage = new Map([[first, { cpuNs: 3e9 }]]);
    await round();
    const [second = ''] = await harness.runContainers(harness.release({ tag: 'v2' }));
    usage = new Map([[second, {}]]);
    await round();
    usage = new Map([[second, { cpuNs: 2e9 }]]);
    await round();

    assert.equal(sampler.totals().get(harness.app().id)?.cpuS, 5);
  });

  it('writes at most once a minute and deletes samples outside all windows', async () => {
    const [id = ''] = await harness.runContainers(harness.release());
    usage = new Map([[id, {}]]);
    let commits = 0;
    const { tx } = harness.core.store;
    harness.core.store.tx = function counted(work) {
      commits += 1;
      return tx.call(this, work) as ReturnType<typeof work>;
    };
    for (let n = 0; n < 6 * 70; n += 1) await round();
    harness.core.store.tx = tx;

    assert.ok(commits >= 69 && commits <= 71, `${commits} commits in 70 minutes`);
    assert.ok(metricRows(harness.core.store, 'app', 10).length <= 366);
    assert.ok(metricRows(harness.core.store, 'app', 60).length >= 68);
  });

  it('continues on a full disk and writes the missed samples later', async () => {
    const { store } = harness.core;
    const [id = ''] = await harness.runContainers(harness.release());
    usage = new Map([[id, {}]]);
    for (let n = 0; n < 6; n += 1) await round();
    const before = metricRows(store, 'app', 10).length;
    const { tx } = store;
    store.tx = () => {
      throw new Error('the disk is full');
    };
    for (let n = 0; n < 12; n += 1) await round();
    store.tx = tx;

    for (let n = 0; n < 6; n += 1) await round();

    assert.equal(metricRows(store, 'app', 10).length, before + 18);
  });

  it('uses longer steps with a longer measurement interval', async () => {
    const settings = JSON.stringify({ metrics: { interval_s: 60 } });
    harness.core.store.tx((tx) => writeSetting(tx, 'instance.settings', settings));
    const [id = ''] = await harness.runContainers(harness.release());
    usage = new Map([[id, {}]]);
    for (let n = 0; n < 4; n += 1) await round(60);

    const { stepS, samples } = sampler.app(harness.app().id, '1h');
    assert.deepEqual([stepS, samples.length], [60, 60]);
    assert.ok(samples.slice(-3).every(({ sample }) => sample !== null));
  });

  it('measures the server while the engine is unavailable, and apps again later', async () => {
    const [id = ''] = await harness.runContainers(harness.release());
    const engine = { ...harness.engine, usage: async () => filled() };
    sampler = new Sampler({ ...parts(), engine }, LOG);
    usage = new Map([[id, {}]]);
    await round();
    engine.usage = async () => {
      throw new EngineUnavailable('It is away.');
    };
    await assert.rejects(round(), EngineUnavailable);
    engine.usage = async () => filled();
    await round();

    assert.deepEqual(
      newest(2).map((sample) => sample !== null),
      [false, true],
    );
    const machine = sampler.machine('1h').samples.slice(-2);
    assert.ok(machine.every(({ sample }) => sample !== null && sample.memoryBytes > 0));
  });

  it('notifies a listener until the listener unsubscribes', async () => {
    const [id = ''] = await harness.runContainers(harness.release());
    const received: Measured[] = [];
    const stop = sampler.onSample((measured) => received.push(measured));
    usage = new Map([[id, { memoryBytes: 5 }]]);
    await round();
    await round();
    stop();
    await round();

    assert.deepEqual(
      received.map(({ apps }) => apps.get(harness.app().id)?.memoryBytes),
      [undefined, 5],
    );
  });
});
