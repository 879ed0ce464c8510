import assert from 'node:assert/strict';
import { until } from '@davit/testkit/waiting';
import { EngineUnavailable } from '../../src/adapters/engine/errors.ts';
import type { InstanceUsage } from '../../src/adapters/engine/instance.ts';
import type { Stage } from './rig.ts';
import { soon } from './rig.ts';

const MIB = 1024 ** 2;

export const usagePromises: Record<string, (stage: Stage) => Promise<void>> = {
  'reports the resource usage and memory limit of a container': async (stage) => {
    const limits = { cpu: null, memoryBytes: 64 * MIB, pids: 64 };
    const id = await stage.running('web', { limits });

    const usage = await usageOf(stage, id);

    assert.ok(usage.memoryBytes > 0 && usage.memoryBytes <= 64 * MIB, `it uses ${usage.memoryBytes} bytes`);
    assert.equal(usage.memoryLimitBytes, 64 * MIB);
    for (const figure of [usage.cpuNs, usage.receivedBytes, usage.sentBytes]) assert.ok(figure >= 0);
    assert.ok(Math.abs(usage.at.getTime() - Date.now()) < 60_000);
  },

  'reports no memory limit for a container without its own limit': async (stage) => {
    const id = await stage.running('web', { limits: { cpu: null, memoryBytes: null, pids: 64 } });

    assert.equal((await usageOf(stage, id)).memoryLimitBytes, null);
  },

  'applies the last memory limit set before a container’s first start': async (stage) => {
    const limits = { cpu: 1, memoryBytes: 64 * MIB, pids: 64 };
    const [id = ''] = await stage.engine.createGroup(await stage.group({ limits }));

    await stage.engine.setLimits(id, { cpu: 0.5, memoryBytes: 96 * MIB, pids: 100 });
    await stage.engine.setLimits(id, { cpu: null, memoryBytes: 32 * MIB, pids: 50 });
    await stage.engine.start(id);

    assert.equal((await usageOf(stage, id)).memoryLimitBytes, 32 * MIB);
  },

  'reports increasing CPU usage while a container runs': async (stage) => {
    const id = await stage.running('web');
    const first = await usageOf(stage, id);

    await until('it has used more', async () => (await used(stage, id)).cpuNs > first.cpuNs);

    const later = await usageOf(stage, id);
    assert.ok(later.receivedBytes >= first.receivedBytes && later.sentBytes >= first.sentBytes);
  },

  'resets the CPU usage of a container after a restart': async (stage) => {
    const id = await stage.running('web');
    const first = await usageOf(stage, id);
    await until('it has used much more', async () => (await used(stage, id)).cpuNs > 3 * first.cpuNs + 1e7);
    const before = await usageOf(stage, id);

    await stage.engine.stop(id, { signal: 'SIGKILL', graceS: 0 });
    await stage.engine.start(id);

    assert.ok((await usageOf(stage, id)).cpuNs < before.cpuNs);
  },

  'returns usage only for running containers and omits stopped, unstarted and removed containers': async (stage) => {
    const [created = ''] = await stage.engine.createGroup(await stage.group());
    const ended = await stage.running('crash');
    const removed = await stage.running('web');
    await stage.engine.waitExit(ended, soon());
    await usageOf(stage, removed);
    await stage.engine.remove(removed);
    const id = await stage.running('web');

    const usage = await stage.engine.usage([created, ended, removed, 'f'.repeat(64), id]);

    assert.deepEqual([...usage.keys()], [id]);
    assert.equal((await stage.engine.usage([])).size, 0);
  },

  'rejects a usage query with EngineUnavailable if the engine does not respond': async (stage) => {
    await using away = stage.rig.unavailable();

    await assert.rejects(away.usage(['f'.repeat(64)]), EngineUnavailable);
  },
};

async function usageOf({ engine }: Stage, id: string): Promise<InstanceUsage> {
  const usage = (await engine.usage([id])).get(id);
  assert.ok(usage, 'the instance runs, so it uses something');
  return usage;
}

/** Makes a container use resources, and returns its usage. */
async function used(stage: Stage, id: string): Promise<InstanceUsage> {
  await stage.rig.write(id, 'busy');
  return usageOf(stage, id);
}
