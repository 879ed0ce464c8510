/** Comparison of the kernel's files about a container with the values of the engine. */

import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import { until } from '@davit/testkit/waiting';
import { createDockerClient } from '../../../packages/daemon/src/adapters/engine/docker/client/client.ts';
import { createDockerEngine } from '../../../packages/daemon/src/adapters/engine/docker/docker.ts';
import { type EngineStats, usageOf } from '../../../packages/daemon/src/adapters/engine/docker/usage/usage.ts';
import type { InstanceUsage } from '../../../packages/daemon/src/adapters/engine/instance.ts';
import { createStage, type Stage } from '../../../packages/daemon/test/conformance/rig.ts';
import { createDockerRig, type DockerRig, execute } from '../../support/docker-rig.ts';

const MIB = 2 ** 20;
const LIMITS = { cpu: null, memoryBytes: 256 * MIB, pids: 64 };

describe('the usage of a real container', () => {
  let rig: DockerRig;
  let stage: Stage;
  const client = createDockerClient(null);
  before(async () => {
    rig = await createDockerRig();
    stage = createStage(rig);
  });
  afterEach(() => stage.clear());
  after(async () => {
    await client[Symbol.asyncDispose]();
    await rig.cleanup();
  });

  const ours = async (id: string): Promise<InstanceUsage> => {
    const usage = (await rig.engine.usage([id])).get(id);
    assert.ok(usage);
    return usage;
  };
  const engines = async (id: string): Promise<InstanceUsage> => {
    const call = { doing: 'read stats', path: `/containers/${id}/stats`, query: { stream: false, 'one-shot': true } };
    const usage = usageOf(await client.call<EngineStats>(call));
    assert.ok(usage);
    return usage;
  };

  it('matches the values that the engine reports before and after', async () => {
    const id = await stage.running('web', { limits: LIMITS });
    await execute(rig.docker, id, [
      'sh',
      '-c',
      'for n in 1 2 3; do wget -qO- http://127.0.0.1:8080/; done; seq 200000',
    ]);

    const [before, own, behind] = [await engines(id), await ours(id), await engines(id)];

    for (const figure of ['cpuNs', 'receivedBytes', 'sentBytes'] as const) {
      assert.ok(
        before[figure] <= own[figure] && own[figure] <= behind[figure],
        `${figure} is not between the engine’s`,
      );
    }
    assert.ok(own.cpuNs > 0 && own.receivedBytes > 0);
    assert.equal(own.memoryLimitBytes, before.memoryLimitBytes);
    assert.ok(Math.abs(own.memoryBytes - behind.memoryBytes) < MIB, `${own.memoryBytes} against ${behind.memoryBytes}`);
  });

  it('excludes the page cache from memory and includes tmpfs files', async () => {
    const id = await stage.running('web', { limits: LIMITS });
    const idle = await ours(id);

    await execute(rig.docker, id, [
      'sh',
      '-c',
      'dd if=/dev/zero of=/tmp/f bs=1M count=64; cat /tmp/f /tmp/f >/dev/null',
    ]);
    const afterFile = await ours(id);
    await execute(rig.docker, id, ['sh', '-c', 'dd if=/dev/zero of=/dev/shm/f bs=1M count=32']);
    const afterMemory = await ours(id);

    assert.ok(
      afterFile.memoryBytes - idle.memoryBytes < 16 * MIB,
      `grew by ${afterFile.memoryBytes - idle.memoryBytes}`,
    );
    assert.ok(afterMemory.memoryBytes - afterFile.memoryBytes > 30 * MIB, 'what lies in a tmpfs is memory');
  });

  it('is still reported after the engine restarts a crashed instance', async () => {
    const id = await stage.running('web');
    await rig.engine.keepRunning(id);
    await until('it has worked', async () => {
      await rig.write(id, 'busy');
      return (await ours(id)).cpuNs > 50_000_000;
    });
    const before = await ours(id);

    await rig.crash(id);

    await until('the counters start at 0 again', async () => {
      const now = (await rig.engine.usage([id])).get(id);
      return now !== undefined && now.cpuNs < before.cpuNs;
    });
  });

  it('is the same if read through the API of a remote engine', async () => {
    const id = await stage.running('web', { limits: LIMITS });
    const far = createServer((near) => near.pipe(connect('/var/run/docker.sock')).pipe(near));
    await new Promise<void>((resolve) => far.listen(0, '127.0.0.1', resolve));
    const dockerHost = `tcp://127.0.0.1:${(far.address() as AddressInfo).port}`;
    const options = { davitId: rig.davitId, dockerHost, dataDir: rig.dataDir, networkPool: '10.208.0.0/12' };
    try {
      await using engine = createDockerEngine(options);
      const near = await ours(id);

      const [usage] = (await engine.usage([id, 'f'.repeat(64)])).values();

      assert.ok(usage && usage.cpuNs >= near.cpuNs && usage.memoryLimitBytes === near.memoryLimitBytes);
      assert.ok(Math.abs(usage.memoryBytes - near.memoryBytes) < MIB);
      await stage.engine.stop(id, { signal: 'SIGKILL', graceS: 0 });
      assert.equal((await engine.usage([id])).size, 0);
      await stage.engine.start(id);
      assert.equal((await engine.usage([id])).size, 1);
    } finally {
      far.close();
    }
  });

  it('is returned for all of twenty instances', async (t) => {
    const group = await stage.group({ count: 20, imageId: (await stage.image('silent')).id });
    const ids = await rig.engine.createGroup(group);
    await Promise.all(ids.map((id) => rig.engine.start(id)));
    assert.equal((await rig.engine.usage(ids)).size, 20);

    const cpu = process.cpuUsage();
    const usage = await rig.engine.usage(ids);
    const { user, system } = process.cpuUsage(cpu);

    assert.equal(usage.size, 20);
    t.diagnostic(`${((user + system) / 20).toFixed(0)} µs of processor time an instance`);
  });
});
