import assert from 'node:assert/strict';
import { until } from '@davit/testkit/waiting';
import { EngineRefused, LeftRunning } from '../../src/adapters/engine/errors.ts';
import { namePrefix } from '../../src/adapters/engine/names.ts';
import type { OneOff } from '../../src/adapters/engine/one-off.ts';
import type { Stage } from './rig.ts';
import { soon } from './rig.ts';

export const oneOffPromises: Record<string, (stage: Stage) => Promise<void>> = {
  'runs a one-off command and removes its container after completion': async (stage) => {
    const oneOff = await oneOffOf(stage, ['sh', '-c', 'echo migrated; exit 3']);

    assert.deepEqual(await stage.engine.runOnce(oneOff, soon()), { exitCode: 3, output: 'migrated\n' });

    assert.deepEqual(await stage.engine.observe(), []);
  },

  'reports a running release command with kind release and removes its container on abort': async (stage) => {
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

  'runs a one-off command without taking addresses of containers not yet started': async (stage) => {
    const group = await stage.group({ count: 2 });
    const ids = await stage.engine.createGroup(group);

    await stage.engine.runOnce(await oneOffOf(stage, ['true']), soon());
    for (const id of ids) await stage.engine.start(id);

    const states = (await stage.engine.observe()).map((instance) => instance.state);
    assert.deepEqual(states, ['running', 'running']);
  },

  'reports kind run for a running command that a user requested': async (stage) => {
    const running = new AbortController();
    const oneOff = { ...(await oneOffOf(stage, ['sleep', '1000'])), kind: 'run' as const };
    const result = stage.engine.runOnce(oneOff, running.signal);
    await until('it runs', async () => (await stage.engine.observe())[0]?.state === 'running');

    assert.equal((await stage.engine.observe())[0]?.kind, 'run');

    running.abort();
    await assert.rejects(result);
  },

  'emits each output line of a command once, in order per stream, before completion': async (stage) => {
    const oneOff = await oneOffOf(stage, ['sh', '-c', 'echo one; echo two; echo three >&2; exit 4']);
    const lines: string[] = [];

    const result = await stage.engine.runOnce(oneOff, soon(), ({ stream, line, at }) => {
      assert.ok(at instanceof Date);
      lines.push(`${stream} ${line}`);
    });

    assert.deepEqual(lines.filter((line) => line.startsWith('stdout')).join(), 'stdout one,stdout two');
    assert.deepEqual(lines.toSorted(), ['stderr three', 'stdout one', 'stdout two']);
    assert.equal(result.exitCode, 4);
    assert.equal(result.output.length, 'one\ntwo\nthree\n'.length);
  },

  'emits output lines during the command and waits for the handler between lines': async (stage) => {
    const running = new AbortController();
    const [first, taken, second] = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const oneOff = await oneOffOf(stage, ['sh', '-c', 'echo begun; echo next; sleep 1000']);
    const lines: string[] = [];
    const result = stage.engine.runOnce(oneOff, running.signal, async ({ line }) => {
      lines.push(line);
      (lines.length === 1 ? first : second)?.resolve();
      await taken?.promise;
    });

    await first?.promise;
    assert.equal((await stage.engine.observe())[0]?.state, 'running');
    assert.deepEqual(lines, ['begun']);
    taken?.resolve();
    await second?.promise;
    assert.deepEqual(lines, ['begun', 'next']);

    running.abort();
    await assert.rejects(result);
  },

  'keeps a command running after an abort with LeftRunning and adopts the command later': async (stage) => {
    const running = new AbortController();
    const oneOff = await oneOffOf(stage, ['sh', '-c', 'echo begun; sleep 1000']);
    const result = stage.engine.runOnce(oneOff, running.signal);
    await until('it runs', async () => (await stage.engine.observe())[0]?.state === 'running');
    const [before] = await stage.engine.observe();

    running.abort(new LeftRunning('the daemon is stopping'));

    await assert.rejects(result, LeftRunning);
    const again = new AbortController();
    await using later = stage.rig.reopen();
    const firstLine = Promise.withResolvers<string>();
    const adopted = later.runOnce(oneOff, again.signal, ({ line }) => firstLine.resolve(line));
    assert.equal(await firstLine.promise, 'begun');
    assert.equal((await stage.engine.observe())[0]?.id, before?.id);
    again.abort(new Error('called off'));
    await assert.rejects(adopted, /called off/);
    assert.deepEqual(await stage.engine.observe(), []);
  },

  'refuses a command with a container name outside this Davit instance’s namespace': async (stage) => {
    const oneOff = await oneOffOf(stage, ['true']);

    await assert.rejects(stage.engine.runOnce({ ...oneOff, name: 'davit-somebody-release' }, soon()), EngineRefused);
  },
};

async function oneOffOf(stage: Stage, command: string[]): Promise<OneOff> {
  const { app, env, limits, volumes, network, imageId, deployment } = await stage.group();
  const name = `${namePrefix(stage.rig.davitId)}${deployment}-release`;
  return { kind: 'release', name, app, deployment, imageId, network, env, command, limits, volumes };
}
