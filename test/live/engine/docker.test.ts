import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { until } from '@davit/testkit/waiting';
import { createDockerEngine } from '../../../packages/daemon/src/adapters/engine/docker/docker.ts';
import { EngineRefused } from '../../../packages/daemon/src/adapters/engine/errors.ts';
import { LABEL } from '../../../packages/daemon/src/adapters/engine/labels.ts';
import { engineConformance } from '../../../packages/daemon/test/conformance/engine-conformance.ts';
import type { Stage } from '../../../packages/daemon/test/conformance/rig.ts';
import { createStage, soon } from '../../../packages/daemon/test/conformance/rig.ts';
import type { DockerRig } from '../../support/docker-rig.ts';
import { createDockerRig } from '../../support/docker-rig.ts';
import { inLong } from '../../support/tiers.ts';

engineConformance('docker', createDockerRig);

describe('the Docker engine', () => {
  let rig: DockerRig;
  let stage: Stage;
  before(async () => {
    rig = await createDockerRig();
    stage = createStage(rig);
  });
  afterEach(() => stage.clear());
  after(() => rig.cleanup());

  it('creates an instance with minimal privileges and the configured limits', async () => {
    const id = await stage.running('web', { limits: { cpu: 1.5, memoryBytes: 64 * 2 ** 20, pids: 100 } });
    await rig.engine.keepRunning(id);

    const { HostConfig: host, Config: config } = await rig.docker.getContainer(id).inspect();

    const { Privileged, Init, SecurityOpt, CapDrop, Memory, MemorySwap, NanoCpus, PidsLimit } = host;
    assert.deepEqual(
      { Privileged, Init, SecurityOpt, CapDrop, Memory, MemorySwap, NanoCpus, PidsLimit },
      {
        ...{ Privileged: false, Init: true, SecurityOpt: ['no-new-privileges:true'], CapDrop: ['ALL'] },
        ...{ Memory: 64 * 2 ** 20, MemorySwap: 64 * 2 ** 20, NanoCpus: 1.5e9, PidsLimit: 100 },
      },
    );
    assert.deepEqual([host.Binds ?? [], host.Devices ?? [], host.PidMode, host.IpcMode], [[], [], '', 'private']);
    assert.ok(!host.CapAdd?.some((name: string) => ['SYS_ADMIN', 'NET_ADMIN', 'NET_RAW', 'MKNOD'].includes(name)));
    assert.deepEqual(host.LogConfig, { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } });
    assert.equal(host.RestartPolicy?.Name, 'unless-stopped');
    assert.equal(config.Labels[LABEL.instance], rig.davitId);
  });

  it('removes anonymous volumes with their container and keeps named volumes', async () => {
    const volumesOf = async (id: string) =>
      (await rig.docker.getContainer(id).inspect()).Mounts.flatMap(({ Name }) => Name ?? []);
    const left = async () => (await rig.docker.listVolumes()).Volumes.map(({ Name }) => Name);
    const name = `davit-${rig.davitId}-v90`;
    await rig.engine.ensureVolume(name, 'acme/production/shop');
    const id = await stage.running('volume', { volumes: [{ name, path: '/kept' }] });
    const [unnamed = ''] = (await volumesOf(id)).filter((volume) => volume !== name);
    assert.ok((await left()).includes(unnamed));

    await rig.engine.remove(id);

    const after = await left();
    assert.deepEqual([after.includes(name), after.includes(unnamed)], [true, false]);
    await rig.engine.removeVolume(name);
  });

  it('reserves memory for the platform if an instance has no limit', async () => {
    const id = await stage.running('web');

    const { HostConfig: host } = await rig.docker.getContainer(id).inspect();

    const { memoryBytes } = await rig.engine.info();
    assert.equal(host.Memory, Math.max(memoryBytes - 768 * 2 ** 20, Math.floor(memoryBytes / 2)));
  });

  it('passes variables of the group and the instance, and runs the requested command', async () => {
    const group = await stage.group({ env: { SHARED: 'a', OWN: 'b' }, command: ['sh', '-c'] });
    const args = ['echo "$SHARED $OWN"'];
    const members = group.members.map((member) => ({ ...member, env: { OWN: 'c d' } }));
    const [id = ''] = await rig.engine.createGroup({ ...group, args, members });

    await rig.engine.start(id);
    await rig.engine.waitExit(id, soon());

    const lines = await rig.engine.lastLines(id, 1_000);
    assert.deepEqual(
      lines.map((line) => line.line),
      ['a c d'],
    );
  });

  it('keeps the address of every instance if instances start in another order', inLong, async () => {
    const group = await stage.group({ count: 3 });
    const ids = await rig.engine.createGroup(group);
    for (const id of ids) await rig.engine.start(id);
    for (const id of ids) await rig.engine.stop(id, { signal: 'SIGTERM', graceS: 2 });

    for (const id of ids.toReversed()) await rig.engine.start(id);

    const addresses = await Promise.all(
      ids.map(async (id) => {
        const { NetworkSettings: settings } = await rig.docker.getContainer(id).inspect();
        return settings.Networks[group.network]?.IPAddress;
      }),
    );
    assert.deepEqual(
      addresses,
      group.members.map((member) => member.address),
    );
  });

  it('does not see, change or resolve objects of another Davit instance', async () => {
    const other = await createDockerRig();
    try {
      const theirs = await createStage(other).running('web');
      const network = (await createStage(other).network()).name;
      await other.engine.publishNames([{ network, name: 'shop.internal', addresses: ['10.208.3.10'] }]);

      assert.deepEqual(await rig.engine.observe(), []);
      assert.ok(!(await rig.engine.networks()).includes(network));
      const touches: (() => Promise<unknown>)[] = [
        () => rig.engine.start(theirs),
        () => rig.engine.stop(theirs, { signal: 'SIGTERM', graceS: 1 }),
        () => rig.engine.remove(theirs),
        () => rig.engine.keepRunning(theirs),
        () => rig.engine.waitExit(theirs, soon()),
        () => rig.engine.removeNetwork(network),
      ];
      for (const touch of touches) await assert.rejects(touch, EngineRefused);
      assert.deepEqual(await rig.resolve('shop.internal', (await stage.network()).name), []);
      assert.deepEqual(await other.resolve('shop.internal', network), ['10.208.3.10']);
      assert.equal((await other.engine.observe()).find((one) => one.id === theirs)?.state, 'running');
    } finally {
      await other.cleanup();
    }
    assert.deepEqual(await other.leftovers(), []);
  });

  it('refuses to adopt a foreign container or network with a matching name', inLong, async () => {
    const group = await stage.group();
    const name = `davit-${rig.davitId}-foreign`;
    const container = await rig.docker.createContainer({ name: group.members[0]?.name ?? '', Image: group.imageId });
    const network = await rig.docker.createNetwork({ Name: name });
    try {
      await assert.rejects(rig.engine.createGroup(group), EngineRefused);
      await assert.rejects(rig.engine.ensureNetwork(name), EngineRefused);
      await assert.rejects(rig.engine.removeNetwork(name), EngineRefused);
    } finally {
      await container.remove({ force: true });
      await network.remove();
    }
  });

  it('uses the next free subnet of the pool and reports an exhausted pool', inLong, async () => {
    const foreign = await rig.docker.createNetwork({
      Name: `foreign-${rig.davitId}`,
      IPAM: { Config: [{ Subnet: '10.254.252.0/24' }] },
    });
    const options = { davitId: rig.davitId, dockerHost: null, dataDir: rig.dataDir };
    await using small = createDockerEngine({ ...options, networkPool: '10.254.252.0/23' });
    const name = `davit-${rig.davitId}-small`;
    try {
      assert.equal((await small.ensureNetwork(name)).subnet, '10.254.253.0/24');
      await assert.rejects(
        small.ensureNetwork(`${name}-2`),
        /all subnets of the network pool are in use\. Set DAVIT_NETWORK_POOL/,
      );
    } finally {
      await foreign.remove();
      await small.removeNetwork(name);
    }
  });

  it('treats redirects, HTTP errors and refused connections as not ready', inLong, async () => {
    const id = await stage.running('web');
    const look = { kind: 'http', port: 8080, timeoutMs: 2000 } as const;
    await until('it answers', async () => (await rig.engine.probe(id, { ...look, path: '/' })).ok);

    const reason = async (path: string) => {
      const result = await rig.engine.probe(id, { ...look, path });
      return result.ok ? 'ok' : result.reason;
    };
    assert.equal(await reason('/sub'), 'GET /sub returned status 302');
    assert.equal(await reason('/none'), 'GET /none returned status 404');
    assert.deepEqual(await rig.engine.probe(id, { kind: 'tcp', port: 81, timeoutMs: 2000 }), {
      ok: false,
      reason: 'connection refused',
      isPortClosed: true,
    });
  });

  it('keeps and labels a named volume when the container is removed', async () => {
    const volume = `davit-${rig.davitId}-v1`;
    const id = await stage.running('web', { volumes: [{ name: volume, path: '/data' }] });

    await rig.engine.remove(id);

    const found = await rig.docker.getVolume(volume).inspect();
    assert.equal(found.Labels[LABEL.instance], rig.davitId);
    await assert.rejects(stage.running('web', { volumes: [{ name: 'somebody', path: '/data' }] }), EngineRefused);
  });

  it('reports that an instance exceeded its memory limit', inLong, async () => {
    const limits = { cpu: null, memoryBytes: 16 * 2 ** 20, pids: 64 };
    const id = await stage.running('web', { limits, command: ['tail', '/dev/zero'] });

    assert.deepEqual(await rig.engine.waitExit(id, soon()), { exitCode: 137, oomKilled: true });
  });
});
