import assert from 'node:assert/strict';
import { EngineRefused } from '../../src/adapters/engine/errors.ts';
import { namePrefix } from '../../src/adapters/engine/names.ts';
import type { Stage } from './rig.ts';

export const networkPromises: Record<string, (stage: Stage) => Promise<void>> = {
  'gives the same network for the same name and another subnet for another': async ({ engine, rig }) => {
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

  'removes a network, however often it is asked': async ({ engine, rig }) => {
    const { name } = await engine.ensureNetwork(`${namePrefix(rig.davitId)}gone`);

    await engine.removeNetwork(name);
    await engine.removeNetwork(name);

    assert.ok(!(await engine.networks()).includes(name));
  },

  'keeps a network that an instance is connected to': async (stage) => {
    const { name } = await stage.network();
    await stage.running('web');

    await assert.rejects(stage.engine.removeNetwork(name), EngineRefused);

    assert.ok((await stage.engine.networks()).includes(name));
    await stage.network();
  },

  'refuses a network whose name is not ours': async ({ engine }) => {
    await assert.rejects(engine.ensureNetwork('bridge'), EngineRefused);
    await assert.rejects(engine.removeNetwork('bridge'), EngineRefused);
  },

  'finds the networks of the daemon before': async ({ engine, rig }) => {
    const network = await engine.ensureNetwork(`${namePrefix(rig.davitId)}kept`);
    await using later = rig.reopen();

    assert.deepEqual(await later.ensureNetwork(network.name), network);
    await later.removeNetwork(network.name);
  },
};
