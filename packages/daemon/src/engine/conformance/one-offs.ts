import assert from 'node:assert/strict';
import type { OneOff } from '../engine.ts';
import { EngineRefused } from '../engine.ts';
import { namePrefix } from '../names.ts';
import type { Stage } from './rig.ts';
import { soon, until } from './rig.ts';

export const oneOffPromises: Record<string, (stage: Stage) => Promise<void>> = {
  'runs a command to its end and removes its container': async (stage) => {
    const oneOff = await oneOffOf(stage, ['sh', '-c', 'echo migrated; exit 3']);

    assert.deepEqual(await stage.engine.runOnce(oneOff, soon()), { exitCode: 3, output: 'migrated\n' });

    assert.deepEqual(await stage.engine.observe(), []);
  },

  'shows a command that runs as a release, apart from the instances': async (stage) => {
    const running = new AbortController();
    const oneOff = await oneOffOf(stage, ['sleep', '1000']);
    const result = stage.engine.runOnce(oneOff, running.signal);
    await until('it runs', async () => (await stage.engine.observe())[0]?.state === 'running');

    const [seen] = await stage.engine.observe();
    assert.deepEqual([seen?.kind, seen?.name, seen?.deployment], ['release', oneOff.name, oneOff.deployment]);

    const reason = new Error('called off');
    running.abort(reason);
    await assert.rejects(result, reason);
    assert.deepEqual(await stage.engine.observe(), []);
  },

  'runs a command next to instances that are not started without taking their addresses': async (stage) => {
    const group = await stage.group({ count: 2 });
    const ids = await stage.engine.createGroup(group);

    await stage.engine.runOnce(await oneOffOf(stage, ['true']), soon());
    for (const id of ids) await stage.engine.start(id);

    const states = (await stage.engine.observe()).map((instance) => instance.state);
    assert.deepEqual(states, ['running', 'running']);
  },

  'refuses a command under a name that is not ours': async (stage) => {
    const oneOff = await oneOffOf(stage, ['true']);

    await assert.rejects(stage.engine.runOnce({ ...oneOff, name: 'davit-somebody-release' }, soon()), EngineRefused);
  },
};

async function oneOffOf(stage: Stage, command: string[]): Promise<OneOff> {
  const { app, env, limits, volumes, network, imageId, deployment } = await stage.group();
  const name = `${namePrefix(stage.rig.davitId)}${deployment}-release`;
  return { kind: 'release', name, app, deployment, imageId, network, env, command, limits, volumes };
}
