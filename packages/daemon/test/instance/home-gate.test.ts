/** Tests an instance that is not yet bound to its engine. */

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { bootDaemon, deployedApp, type TestDaemon } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { createDockerClient } from '../../src/adapters/engine/docker/client/client.ts';
import { gatedClient } from '../../src/adapters/engine/docker/client/gated-client.ts';
import type { Engine } from '../../src/adapters/engine/engine.ts';
import { EngineUnavailable } from '../../src/adapters/engine/errors.ts';
import { homeVolumeName, instanceName, networkName } from '../../src/adapters/engine/names.ts';
import { bindHomeLater } from '../../src/composition/home.ts';
import { HomeGate } from '../../src/composition/home-gate.ts';

/** Engine calls of the binding check. The calls change nothing. */
const CHECK = ['info', 'volumes', 'inspectHeld'];

describe('an instance started while the engine was unavailable', () => {
  let daemon: TestDaemon;
  let gate: HomeGate;
  let id: string;
  let reference: string;
  /** A container of the instance without a record, which another data directory created. */
  let foreign: string;
  beforeEach(async () => {
    gate = new HomeGate();
    gate.open();
    daemon = await bootDaemon({ wrapEngine: (engine) => gate.engine(engine) });
    id = daemon.core.facts.id;
    ({ reference } = (await deployedApp(daemon)).app);
    await daemon.settled();
    await daemon.stop();
    foreign = await makeForeign(daemon.engine);
    gate = new HomeGate();
    daemon.engine.controls.setAvailable(false);
    await daemon.start();
  });
  afterEach(() => daemon[Symbol.asyncDispose]());

  async function makeForeign(engine: Engine): Promise<string> {
    const [own] = daemon.engine.controls.containers();
    const { name: network, lastAddress: address } = await engine.ensureNetwork(networkName(id, 1));
    const [made = ''] = await engine.createGroup({
      ...({ kind: 'app', app: own?.app ?? '', deployment: 77, imageId: own?.imageId ?? '', network } as const),
      ...{ env: {}, command: null, args: null, limits: { cpu: null, memoryBytes: null, pids: 100 } },
      ...{ stopSignal: 'SIGTERM', volumes: [], tcpPorts: [], files: [] },
      members: [{ name: instanceName(id, 77, 1), address, env: {} }],
    });
    return made;
  }

  const hasForeign = () => daemon.engine.controls.containers().some((container) => container.id === foreign);

  /** Binds the instance to the simulated engine as if it were a real one. */
  function bind(): Promise<boolean> {
    const capabilities = { ...daemon.engine.capabilities, simulated: false };
    const { store } = daemon.core;
    const home = { config: { dataDir: daemon.dataDir, adopt: null }, state: { id, store } };
    return bindHomeLater({ ...home, engine: { ...daemon.engine, capabilities } }, new AbortController().signal);
  }

  it('reports the reason for the unavailable engine', async () => {
    const { problem } = daemon.core.engineSight();
    const error = await daemon.engine.info().catch((thrown: Error) => thrown);
    assert.ok(error instanceof EngineUnavailable);
    assert.equal(problem, error.message);
  });

  it('changes nothing on an engine of another data directory', async () => {
    const { controls } = daemon.engine;
    controls.setAvailable(true);
    await daemon.engine.ensureVolume(homeVolumeName(id, '0123456789abcdef'), 'home');
    const before = controls.calls.length;
    await assert.rejects(bind(), { name: 'NotAtHome' });
    for (const task of ['nudgeRoutes', 'nudgeDatabases', 'nudgeRetirement', 'nudgeUnrecorded'] as const)
      daemon.core[task]();
    await daemon.settled();
    const { status, text } = await daemon.call('POST', `/api/apps/${reference}/deploy`, { tag: 'v2' });

    assert.equal(status, 503, text);
    assert.equal(hasForeign(), true);
    assert.deepEqual(
      controls.calls.slice(before).filter((call) => !CHECK.includes(call)),
      [],
    );
  });

  it('removes an unrecorded container as soon as the instance is bound to the engine', async () => {
    daemon.engine.controls.setAvailable(true);
    await daemon.settled();
    assert.equal(hasForeign(), true);

    assert.equal(await bind(), true);
    gate.open();

    await until('the container without a record is removed', async () => (hasForeign() ? null : true));
    const { available } = (await daemon.client.getInstance()).engine;
    assert.equal(available, true);
  });
});

describe('HomeGate', () => {
  it('blocks the calls of Docker clients until the gate is open', async () => {
    const gate = new HomeGate();
    await using docker = gatedClient(createDockerClient('tcp://127.0.0.1:1'), () => gate.demandOpen());
    const calls = [docker.call, docker.stream, docker.hijack];
    const refusals = () => Promise.all(calls.map((call) => call({ doing: 'x', path: '/x' }).catch((error) => error)));
    const closed = await refusals();
    gate.open();
    const open = await refusals();

    for (const error of [...closed, ...open]) assert.ok(error instanceof EngineUnavailable);
    assert.equal(
      closed.some(({ cause }) => cause !== undefined),
      false,
      'nothing was sent',
    );
    assert.equal(
      open.every(({ cause }) => cause !== undefined),
      true,
    );
  });

  it('ends a blocked watch when its signal aborts', async () => {
    await using daemon = await bootDaemon();
    const stopping = new AbortController();
    const events = new HomeGate().engine(daemon.engine).watch(stopping.signal)[Symbol.asyncIterator]();
    const next = events.next();
    stopping.abort(new Error('stopping'));

    assert.equal((await next).done, true);
  });
});
