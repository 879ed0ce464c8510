import assert from 'node:assert/strict';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { namePrefix } from '../../src/adapters/engine/names.ts';
import type { Stage } from './rig.ts';

export const networkPromises: Record<string, (stage: Stage) => Promise<void>> = {
  'returns the same network for the same name and different subnets for different names': async ({ engine, rig }) => {
    const names = ['one', 'two'].map((name) => `${namePrefix(rig.davitId)}${name}`);
    const [one, same, two] = await Promise.all(
      [names[0], names[0], names[1]].map((name) => engine.ensureNetwork(name ?? '')),
    );

    assert.deepEqual(one, same);
    assert.match(one?.subnet ?? '', /^\d+\.\d+\.\d+\.0\/24$/);
    assert.notEqual(one?.subnet, two?.subnet);
    assert.deepEqual(
      (await engine.networks()).filter((name) => names.includes(name)),
      names,
    );
    for (const name of names) await engine.removeNetwork(name);
  },

  'removes a network and accepts a repeated removal': async ({ engine, rig }) => {
    const { name } = await engine.ensureNetwork(`${namePrefix(rig.davitId)}gone`);

    await engine.removeNetwork(name);
    await engine.removeNetwork(name);

    assert.ok(!(await engine.networks()).includes(name));
  },

  'refuses to remove a network with a connected container': async (stage) => {
    const { name } = await stage.network();
    await stage.running('web');

    await assert.rejects(stage.engine.removeNetwork(name), EngineRefused);

    assert.ok((await stage.engine.networks()).includes(name));
    await stage.network();
  },

  'refuses to create or remove a network outside this Davit instance’s namespace': async ({ engine }) => {
    await assert.rejects(engine.ensureNetwork('bridge'), EngineRefused);
    await assert.rejects(engine.removeNetwork('bridge'), EngineRefused);
  },

  'finds an existing network after a restart of the daemon': async ({ engine, rig }) => {
    const network = await engine.ensureNetwork(`${namePrefix(rig.davitId)}kept`);
    await using later = rig.reopen();

    assert.deepEqual(await later.ensureNetwork(network.name), network);
    await later.removeNetwork(network.name);
  },
};
