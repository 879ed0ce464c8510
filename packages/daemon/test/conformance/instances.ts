import assert from 'node:assert/strict';
import { until } from '@davit/testkit/waiting';
import { EngineProblem } from '../../src/adapters/engine/engine-problem.ts';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import type { Stage } from './rig.ts';

export const instancePromises: Record<string, (stage: Stage) => Promise<void>> = {
  'creates the containers of a group in member order without starting them': async (stage) => {
    const group = await stage.group({ count: 3 });

    const ids = await stage.engine.createGroup(group);

    const seen = new Map((await stage.engine.observe()).map((instance) => [instance.id, instance]));
    const expected = group.members.map(({ name, address }) => ({ name, address, state: 'created', exitCode: null }));
    const found = ids.map((id) => seen.get(id));
    assert.deepEqual(found.map(pick('name', 'address', 'state', 'exitCode')), expected);
    assert.deepEqual(pick('kind', 'app', 'deployment', 'restarts', 'startedAt')(found[0]), {
      kind: 'app',
      app: group.app,
      deployment: group.deployment,
      restarts: 0,
      startedAt: null,
    });
  },

  'adopts existing containers of a group, even after a restart of the daemon': async (stage) => {
    const group = await stage.group({ count: 2 });
    const ids = await stage.engine.createGroup(group);
    await using later = stage.rig.reopen();

    assert.deepEqual(await stage.engine.createGroup(group), ids);
    assert.deepEqual(await later.createGroup(group), ids);
    assert.equal((await stage.engine.observe()).length, 2);
  },

  'refuses a container name of another deployment and keeps the containers already created': async (stage) => {
    const first = await stage.group();
    await stage.engine.createGroup(first);
    const second = await stage.group();
    const clash = { ...second, members: [...second.members, ...first.members] };

    await assert.rejects(stage.engine.createGroup(clash), EngineRefused);

    const names = (await stage.engine.observe()).map((instance) => instance.name).sort();
    assert.deepEqual(names, [...first.members, ...second.members].map((member) => member.name).sort());
  },

  'refuses a container with the gateway’s address, a loopback address or a foreign name': async (stage) => {
    const group = await stage.group();
    const network = await stage.network();
    const [member] = group.members;
    assert.ok(member);

    for (const change of [{ name: 'davit-somebody-1-1' }, { address: network.gateway }, { address: '127.0.0.1' }]) {
      await assert.rejects(stage.engine.createGroup({ ...group, members: [{ ...member, ...change }] }), EngineRefused);
    }
    assert.deepEqual(await stage.engine.observe(), []);
  },

  'refuses to create a group with a missing image or network': async (stage) => {
    const group = await stage.group();

    await assert.rejects(stage.engine.createGroup({ ...group, imageId: `sha256:${'0'.repeat(64)}` }), EngineRefused);
    await assert.rejects(stage.engine.createGroup({ ...group, network: `${group.network}-none` }), EngineRefused);
  },

  'creates no container if the signal is already aborted': async (stage) => {
    const reason = new Error('called off');

    await assert.rejects(stage.engine.createGroup(await stage.group(), AbortSignal.abort(reason)), reason);

    assert.deepEqual(await stage.engine.observe(), []);
  },

  'keeps a running container running when start is called again': async (stage) => {
    const id = await stage.running('web');

    await stage.engine.start(id);

    const [instance] = await stage.engine.observe();
    assert.equal(instance?.state, 'running');
    assert.ok(instance?.startedAt instanceof Date);
  },

  'refuses to start two containers with the same IP address': async (stage) => {
    const group = await stage.group({ count: 2 });
    const [first, second] = group.members;
    assert.ok(first && second);
    const members = [first, { ...second, address: first.address }];

    const outcome = await stage.engine
      .createGroup({ ...group, members })
      .then((ids) => Promise.all(ids.map((id) => stage.engine.start(id))))
      .catch((error: unknown) => error);

    assert.ok(outcome instanceof EngineRefused, String(outcome));
  },

  'refuses a second container on a server port that is already taken': async (stage) => {
    const port = 20_000 + (process.pid % 10_000);
    const tcpPorts = [{ hostPort: port, containerPort: 8080 }];
    await stage.running('web', { tcpPorts });

    const isTaken = (error: unknown) => error instanceof EngineProblem && error.code === 'port_taken';
    await assert.rejects(stage.running('web', { tcpPorts }), isTaken);
  },

  'stops and removes a container and accepts repeated calls after its removal': async (stage) => {
    const { engine } = stage;
    const id = await stage.running('web');

    await engine.stop(id, { signal: 'SIGTERM', graceS: 5 });
    await engine.stop(id, { signal: 'SIGTERM', graceS: 5 });
    assert.equal((await engine.observe())[0]?.state, 'exited');

    await engine.remove(id);
    await engine.remove(id);
    await engine.stop(id, { signal: 'SIGTERM', graceS: 5 });
    assert.deepEqual(await engine.observe(), []);
  },

  'removes a running container by ID and a stopped container by name': async (stage) => {
    const { engine } = stage;
    const id = await stage.running('web');
    await stage.running('web');
    const name = (await engine.observe()).find((one) => one.id !== id)?.name ?? '';

    await engine.remove(id);
    await engine.stop(name, { signal: 'SIGTERM', graceS: 5 });
    await engine.remove(name);
    await engine.remove(name);

    assert.deepEqual(await stage.engine.observe(), []);
  },

  'kills a container that ignores the stop signal after the grace period': async (stage) => {
    const id = await stage.running('stubborn');
    // The program prints a line when it ignores the signal.
    await until('it ignores the signal', async () => (await stage.engine.lastLines(id, 1)).length > 0);

    await stage.engine.stop(id, { signal: 'SIGTERM', graceS: 1 });

    const [instance] = await stage.engine.observe();
    assert.deepEqual(pick('state', 'exitCode')(instance), { state: 'exited', exitCode: 137 });
  },

  'keeps a container with automatic restart stopped after a stop by SIGTERM or SIGINT': async (stage) => {
    for (const signal of ['SIGTERM', 'SIGINT']) {
      const id = await stage.running('web');
      await stage.engine.keepRunning(id);

      await stage.engine.stop(id, { signal, graceS: 5 });

      const instance = (await stage.engine.observe()).find((one) => one.id === id);
      assert.equal(instance?.state, 'exited', signal);
    }
  },

  'accepts limit changes for a running container and keeps the container running': async (stage) => {
    assert.equal(stage.engine.capabilities.liveLimits, true);
    const id = await stage.running('web');

    await stage.engine.setLimits(id, { cpu: 0.5, memoryBytes: 128 * 2 ** 20, pids: 64 });
    await stage.engine.setLimits(id, { cpu: null, memoryBytes: null, pids: 4096 });

    assert.equal((await stage.engine.observe())[0]?.state, 'running');
  },

  'restarts a crashed container that has automatic restart enabled': async (stage) => {
    const id = await stage.running('web');
    await stage.engine.keepRunning(id);
    await stage.engine.keepRunning(id);

    await stage.rig.crash(id);

    await until('the engine starts it again', async () => {
      const [instance] = await stage.engine.observe();
      return instance?.state === 'running' && instance.restarts === 1;
    });
  },
};

/** Returns a function that selects the named fields of an object. Missing fields are `undefined`. */
function pick(...fields: string[]): (from: object | undefined) => Record<string, unknown> {
  return (from) => Object.fromEntries(fields.map((field) => [field, (from as Record<string, unknown>)?.[field]]));
}
