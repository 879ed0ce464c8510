import assert from 'node:assert/strict';
import { namePrefix } from '../../src/adapters/engine/names.ts';
import type { Stage } from './rig.ts';
import { soon } from './rig.ts';

const PIDS = 64;

/**
 * Script that starts processes until the engine refuses one. The script stops after 400, so that an engine without a
 * limit does not overload the machine. The output stays open until the last process has ended, so the processes run
 * only a little longer than the script needs on a slow machine.
 */
const BOMB = 'i=0; while [ $i -lt 400 ]; do sleep 10 & i=$((i+1)); echo $i; done; echo all';

const limits = { cpu: null, memoryBytes: null, pids: PIDS };

export const processPromises: Record<string, (stage: Stage) => Promise<void>> = {
  'limits the processes of a fork bomb in a one-off command': async (stage) => {
    const { app, env, volumes, network, imageId, deployment } = await stage.group();
    const name = `${namePrefix(stage.rig.davitId)}${deployment}-release`;
    const oneOff = { name, app, deployment, imageId, network, env, volumes, limits, command: ['sh', '-c', BOMB] };

    const { exitCode, output } = await stage.engine.runOnce({ kind: 'release', ...oneOff }, soon());

    assert.notEqual(exitCode, 0);
    assertStopped(output);
  },

  'limits the processes of a fork bomb in a container and keeps the container running': async (stage) => {
    const id = await stage.running('web', { limits });
    const program = { command: ['sh', '-c', BOMB] as [string, ...string[]] };

    const { stdout, exited } = await stage.engine.execute(id, program, { signal: soon() });
    let output = '';
    for await (const chunk of stdout) output += Buffer.from(chunk).toString();
    await exited.catch(() => undefined);

    assertStopped(output);
    assert.equal((await stage.engine.observe()).find((one) => one.id === id)?.state, 'running');
    await stage.engine.setLimits(id, { ...limits, pids: 2 * PIDS });
    const more = await stage.engine.execute(id, { command: ['sh', '-c', 'echo alive'] }, { signal: soon() });
    let said = '';
    for await (const chunk of more.stdout) said += Buffer.from(chunk).toString();
    assert.equal(said, 'alive\n');
  },
};

/** Checks that the script started some processes, but fewer than the limit. */
function assertStopped(output: string): void {
  assert.doesNotMatch(output, /all/);
  const forked = Math.max(0, ...[...output.matchAll(/^(\d+)$/gm)].map(([, n]) => Number(n)));
  assert.ok(forked > 0 && forked < PIDS, `it forked ${forked} times:\n${output.slice(-500)}`);
}
