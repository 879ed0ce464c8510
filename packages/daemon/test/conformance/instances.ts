import assert from 'node:assert/strict';
import { until } from '@davit/testkit/waiting';
import { EngineProblem } from '../../src/adapters/engine/engine-problem.ts';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import type { Stage } from './rig.ts';

export const instancePromises: Record<string, (stage: Stage) => Promise<void>> = {
  'creates a group without starting it, in the order of its members': async (stage) => {
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

  'adopts what it created before, after a restart of the daemon too': async (stage) => {
    const group = await stage.group({ count: 2 });
    const ids = await stage.engine.createGroup(group);
    await using later = stage.rig.reopen();

    assert.deepEqual(await stage.engine.createGroup(group), ids);
    assert.deepEqual(await later.createGroup(group), ids);
    assert.equal((await stage.engine.observe()).length, 2);
  },

  'refuses a name that belongs to another deployment, and leaves what it did create': async (stage) => {
    const first = await stage.group();
    await stage.engine.createGroup(first);
    const second = await stage.group();
    const clash = { ...second, members: [...second.members, ...first.members] };

    await assert.rejects(stage.engine.createGroup(clash), EngineRefused);

    const names = (await stage.engine.observe()).map((instance) => instance.name).sort();
    assert.deepEqual(names, [...first.members, ...second.members].map((member) => member.name).sort());
  },

  'refuses a name without our id and an address that is not for instances': async (stage) => {
    const group = await stage.group();
    const network = await stage.network();
    const [member] = group.members;
    assert.ok(member);

    for (const change of [{ name: 'davit-somebody-1-1' }, { address: network.gateway }, { address: '127.0.0.1' }]) {
      await assert.rejects(stage.engine.createGroup({ ...group, members: [{ ...member, ...change }] }), EngineRefused);
    }
    assert.deepEqual(await stage.engine.observe(), []);
  },

  'refuses an image and a network that do not exist': async (stage) => {
    const group = await stage.group();

    await assert.rejects(stage.engine.createGroup({ ...group, imageId: `sha256:${'0'.repeat(64)}` }), EngineRefused);
    await assert.rejects(stage.engine.createGroup({ ...group, network: `${group.network}-none` }), EngineRefused);
  },

  'creates nothing when its signal was aborted before': async (stage) => {
    const reason = new Error('called off');

    await assert.rejects(stage.engine.createGroup(await stage.group(), AbortSignal.abort(reason)), reason);

    assert.deepEqual(await stage.engine.observe(), []);
  },

  'starts an instance, however often it is asked': async (stage) => {
    const id = await stage.running('web');

    await stage.engine.start(id);

    const [instance] = await stage.engine.observe();
    assert.equal(instance?.state, 'running');
    assert.ok(instance?.startedAt instanceof Date);
  },

  'does not start two instances on one address': async (stage) => {
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

  'does not start two instances on one port of the machine': async (stage) => {
    const port = 20_000 + (process.pid % 10_000);
    const tcpPorts = [{ hostPort: port, containerPort: 8080 }];
    await stage.running('web', { tcpPorts });

    const isTaken = (error: unknown) => error instanceof EngineProblem && error.code === 'port_taken';
    await assert.rejects(stage.running('web', { tcpPorts }), isTaken);
  },

  'stops and removes, however often it is asked, and what is gone': async (stage) => {
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

  'removes an instance that runs, by its id or its name': async (stage) => {
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

  'kills what does not end on its signal when the grace is over': async (stage) => {
    const id = await stage.running('stubborn');

    await stage.engine.stop(id, { signal: 'SIGTERM', graceS: 1 });

    const [instance] = await stage.engine.observe();
    assert.deepEqual(pick('state', 'exitCode')(instance), { state: 'exited', exitCode: 137 });
  },

  'stays down after a stop with any signal, though it was to be kept running': async (stage) => {
    for (const signal of ['SIGTERM', 'SIGINT']) {
      const id = await stage.running('web');
      await stage.engine.keepRunning(id);

      await stage.engine.stop(id, { signal, graceS: 5 });

      const instance = (await stage.engine.observe()).find((one) => one.id === id);
      assert.equal(instance?.state, 'exited', signal);
    }
  },

  'changes the limits of a running instance': async (stage) => {
    assert.equal(stage.engine.capabilities.liveLimits, true);
    const id = await stage.running('web');

    await stage.engine.setLimits(id, { cpu: 0.5, memoryBytes: 128 * 2 ** 20, pids: 64 });
    await stage.engine.setLimits(id, { cpu: null, memoryBytes: null, pids: 4096 });

    assert.equal((await stage.engine.observe())[0]?.state, 'running');
  },

  'starts an instance again that is to be kept running and crashes': async (stage) => {
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
