import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '@davit/testkit/waiting';
import type { Rig } from '../../../../test/conformance/engine-conformance.ts';
import { engineConformance } from '../../../../test/conformance/engine-conformance.ts';
import { EngineRefused, EngineUnavailable } from '../errors.ts';
import { createMemoryEngine } from './memory.ts';

const images = {
  web: 'shop:v1',
  twoPorts: 'shop:two',
  crash: 'shop:crash',
  crashExitCode: 1,
  silent: 'shop:never-ready',
  healthy: 'shop:healthy',
  sick: 'shop:sick-never-ready',
  stubborn: 'shop:stubborn',
  volume: 'shop:volume',
  volumeBytes: 2 ** 20,
  absent: 'shop:missing',
};

const NO_PROCESSES = 'the simulated engine starts no processes';
const SIMULATED_ONLY = {
  'limits the processes of a fork bomb in a one-off command': NO_PROCESSES,
  'limits the processes of a fork bomb in a container and keeps the container running': NO_PROCESSES,
};

engineConformance(
  'memory',
  async (): Promise<Rig> => {
    const engine = createMemoryEngine();
    const { controls } = engine;
    controls.addImage(images.web, { exposedPorts: [8080] });
    controls.addImage(images.twoPorts, { exposedPorts: [9090, 8080] });
    controls.addImage(images.healthy, { exposedPorts: [8080], hasHealthcheck: true });
    controls.addImage(images.sick, { exposedPorts: [8080], hasHealthcheck: true });
    controls.addImage(images.volume, { behaviour: { unnamedVolumeBytes: images.volumeBytes } });
    for (const name of [images.crash, images.silent, images.stubborn])
      controls.addImage(name, { exposedPorts: [8080] });
    return {
      davitId: 'memory00',
      engine,
      images,
      registry: { host: 'registry.test', auth: { username: 'ada', password: 'right' }, wrongPassword: 'wrong' },
      reopen: () => engine,
      unavailable: () => {
        const away = createMemoryEngine();
        away.controls.setAvailable(false);
        return away;
      },
      crash: async (id) => controls.kill(id),
      freeze: async (id) => controls.freeze(id),
      write: async (id, line) => controls.writeLog(id, line),
      endedInside: async (id, program) => {
        await until(`${program} has ended`, async () => !controls.programsIn(id).includes(program));
      },
      resolve: async (name, network) => controls.resolve(name, network),
      cleanup: async () => {
        for (const { id } of await engine.observe()) await engine.remove(id);
        for (const name of await engine.networks()) await engine.removeNetwork(name);
      },
      leftovers: async () => [
        ...(await engine.networks()),
        ...controls.containers().map((container) => container.name),
      ],
    };
  },
  SIMULATED_ONLY,
);

describe('the controls of the simulated engine', () => {
  it('make the nth call of an operation fail a single time', async () => {
    const engine = createMemoryEngine({ images: ['shop:v1'] });
    engine.controls.fail('findImage', { at: 2 });

    await engine.findImage('shop:v1');
    await assert.rejects(engine.findImage('shop:v1'), EngineRefused);
    await engine.findImage('shop:v1');

    assert.equal(engine.controls.count('findImage'), 3);
  });

  it('fail a call after its effect has taken place', async () => {
    const engine = createMemoryEngine();
    engine.controls.fail('ensureNetwork', { afterEffect: true, error: new EngineUnavailable('gone') });

    await assert.rejects(engine.ensureNetwork('davit-memory00-a'), EngineUnavailable);

    assert.deepEqual(await engine.networks(), ['davit-memory00-a']);
  });

  it('hold a call until the gate opens', async () => {
    const engine = createMemoryEngine();
    const gate = engine.controls.pause('ensureNetwork');
    const held = engine.ensureNetwork('davit-memory00-a');
    await gate.reached;

    assert.deepEqual(await engine.networks(), []);
    gate.open();

    assert.equal((await held).name, 'davit-memory00-a');
  });

  it('hold the response of a call until the gate opens', async () => {
    const engine = createMemoryEngine();
    const gate = engine.controls.pause('networks', { afterEffect: true });
    const held = engine.networks();
    await gate.reached;

    await engine.ensureNetwork('davit-memory00-a');
    gate.open();

    assert.deepEqual(await held, []);
  });

  it('reject a held call when its signal aborts', async () => {
    const engine = createMemoryEngine({ anyImage: true });
    const gate = engine.controls.pause('pullImage');
    const calling = new AbortController();
    const pull = engine.pullImage('shop:v1', null, calling.signal);
    await gate.reached;
    const reason = new Error('called off');

    calling.abort(reason);

    await assert.rejects(pull, reason);
  });

  it('send a resync event to watchers when the engine becomes available again', async () => {
    const engine = createMemoryEngine();
    const watching = new AbortController();
    const events = engine.watch(watching.signal)[Symbol.asyncIterator]();

    engine.controls.setAvailable(false);
    await assert.rejects(engine.networks(), EngineUnavailable);
    engine.controls.setAvailable(true);

    assert.deepEqual((await events.next()).value, { kind: 'resync' });
    watching.abort();
  });

  it('move a tag to another image after a pull from the registry', async () => {
    const engine = createMemoryEngine();
    const first = engine.controls.addImage('shop:v1');
    const second = engine.controls.addImage('shop:v1', { where: 'registry' });

    assert.equal((await engine.findImage('shop:v1'))?.id, first.id);
    assert.equal((await engine.pullImage('shop:v1', null, AbortSignal.timeout(1000))).id, second.id);
    assert.equal((await engine.findImage('shop:v1'))?.id, second.id);
  });

  it('pull any image except a missing image with the anyImage option', async () => {
    const engine = createMemoryEngine({ anyImage: true });

    assert.equal(await engine.findImage('nginx:1'), null);
    const { id } = await engine.pullImage('nginx:1', null, AbortSignal.timeout(1000));
    assert.equal((await engine.findImage('nginx:1'))?.id, id);
    await assert.rejects(engine.pullImage('nginx:missing', null, AbortSignal.timeout(1000)), EngineRefused);
  });
});
