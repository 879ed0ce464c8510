import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLogger } from '@davit/service';
import { simulatedCore } from '../../../test/support/simulated-core.ts';
import { createMemoryEngine } from '../../adapters/engine/memory/memory.ts';
import { createMemoryProxy } from '../../adapters/proxy/memory/memory-proxy.ts';
import { createMemoryRegistry } from '../../adapters/registry/memory/memory-registry.ts';
import { collectWhenDue } from './collection-schedule.ts';

const MINUTE_MS = 60_000;
const START = Date.parse('2026-01-01T00:00:00Z');

describe('scheduled garbage collection of the registry', () => {
  function createHarness() {
    const clock = { at: START };
    const registry = createMemoryRegistry();
    const log = createLogger({ level: 'error', destination: { write: () => undefined } });
    const parts = {
      engine: createMemoryEngine({ davitId: 'testtest', anyImage: true }),
      proxy: createMemoryProxy(),
      registry,
      log,
      domain: 'localhost',
      clock: () => clock.at,
      now: () => clock.at,
      deploys: () => assert.fail('nothing is deployed'),
      sight: () => assert.fail('nothing is looked at'),
      diskGuard: () => null,
    };
    const core = simulatedCore(parts);
    const look = (minutes: number) => {
      clock.at = START + minutes * MINUTE_MS;
      return collectWhenDue(core, START, log);
    };
    return { core, registry, look };
  }

  it('runs once at the scheduled time and returns the delay until the next run', async () => {
    const { core, look } = createHarness();

    const [before, at, after] = [await look(209), await look(210), await look(211)];

    assert.deepEqual([before, at, after], [MINUTE_MS, 1_440 * MINUTE_MS, 1_439 * MINUTE_MS]);
    assert.deepEqual(core.collector.last(), { at: START + 210 * MINUTE_MS, freedBytes: 0, error: null });
  });

  it('runs at the times of the configured time zone', async () => {
    const { core, look } = createHarness();
    const settings = { ...core.settings(), registry: { ...core.settings().registry, time_zone: 'Europe/Berlin' } };
    core.settings = () => settings;

    assert.equal(await look(60), 90 * MINUTE_MS, 'it is an hour later there');
  });

  it('runs once after the instance was stopped for days', async () => {
    const { core, look } = createHarness();

    await look(3 * 1_440);

    assert.equal(core.collector.last()?.at, START + 3 * 1_440 * MINUTE_MS);
    assert.equal(core.collector.nextAt, START + (3 * 1_440 + 210) * MINUTE_MS);
  });

  it('retries after ten minutes if the registry is unavailable', async () => {
    const { core, registry, look } = createHarness();
    registry.setUnavailable('The registry is away.');

    assert.equal(await look(210), 10 * MINUTE_MS);
    registry.setUnavailable(null);
    await look(220);

    assert.equal(core.collector.last()?.error, null);
  });
});
