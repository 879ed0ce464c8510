/**
 * Tests following a deployment while the instance restarts, the deployment is canceled, or a newer deployment starts.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deployedApp, project } from '@davit/testkit';
import { Davit, withDavit } from './support/davit.ts';

const on = withDavit();

/** Returns an output listener that calls `act` once, when the output matches `what`. */
function onceSeen(what: RegExp, act: () => unknown): (text: string) => void {
  let text = '';
  let isDone = false;
  return (piece) => {
    text += piece;
    if (isDone || !what.test(text)) return;
    isDone = true;
    act();
  };
}

describe('following a deployment', () => {
  it('continues after a restart of the instance and shows each step once', async () => {
    const { app } = await deployedApp(on.daemon);
    const before = on.daemon.url;
    // The restarted daemon has another URL.
    const fetchNow: typeof fetch = (input, init) => fetch(String(input).replace(before, on.daemon.url), init);
    const gate = on.daemon.engine.controls.pause('createGroup');
    const restart = async () => {
      await gate.reached;
      await on.daemon.restart();
      gate.open();
    };

    const { code, stderr } = await on.davit.run(['deploy', app.reference, '--tag', 'v2'], {
      fetch: fetchNow,
      onOutput: onceSeen(/✓ Prepare the network/, () => void restart()),
    });

    assert.equal(code, 0, stderr);
    for (const step of ['Find the image', 'Prepare the network', 'Create the replicas', 'Switch the traffic']) {
      assert.equal(stderr.split(`✓ ${step}`).length, 2, `${step} in ${stderr}`);
    }
    await on.davit[Symbol.asyncDispose]();
    on.davit = await Davit.at(on.daemon);
  });

  it('exits with code 8 if the deployment is canceled', async () => {
    const { app } = await deployedApp(on.daemon);
    const gate = on.daemon.engine.controls.pause('createGroup');
    const cancel = async () => {
      await gate.reached;
      const [newest] = await on.daemon.client.listDeployments({
        params: { project: app.project, environment: app.environment, app: app.name },
      });
      await on.davit.run(['deployment', 'cancel', app.reference, String(newest?.id)]);
      gate.open();
    };

    const { code, stderr } = await on.davit.run(['deploy', app.reference, '--tag', 'v2'], {
      onOutput: onceSeen(/✓ Prepare the network/, () => void cancel()),
    });

    assert.equal(code, 8, stderr);
    assert.match(stderr, /error: Deployment \d+ of .* canceled/);
  });

  it('prints the help address for the reason of a failure', async () => {
    const { app } = await deployedApp(on.daemon);
    const params = { project: app.project, environment: app.environment, app: app.name };
    await on.daemon.client.patchApp({ params, body: { health: { grace_s: 1 } } });

    const { code, stderr } = await on.davit.run(['deploy', app.reference, '--tag', 'never-ready']);

    assert.equal(code, 8, stderr);
    assert.ok(stderr.endsWith(`\nHelp: ${on.daemon.url}/help/solve-common-problems#wrong-port\n`), stderr);
  });

  it('exits with code 8 for a deployment that a newer deployment replaced', async () => {
    const { app } = await deployedApp(on.daemon);
    const gate = on.daemon.engine.controls.pause('createGroup');
    const first = on.davit.run(['deploy', app.reference, '--tag', 'v2']);
    await gate.reached;
    const second = on.davit.run(['deploy', app.reference, '--tag', 'v3']);
    const third = on.davit.run(['deploy', app.reference, '--tag', 'v4']);
    gate.open();

    const all = await Promise.all([first, second, third]);

    const superseded = all.filter(({ stderr }) => /Deployment \d+ replaced it\./.test(stderr));
    assert.ok(superseded.every(({ code }) => code === 8));
    assert.ok(
      all.some(({ code }) => code === 0),
      JSON.stringify(all),
    );
  });

  it('shows the recorded steps of a deployment that has already ended', async () => {
    const { app, deployment } = await deployedApp(on.daemon);

    const { code, stderr } = await on.davit.run(['deployment', 'follow', app.reference, String(deployment.id)]);

    assert.equal(code, 0, stderr);
    assert.match(stderr, /✓ Switch the traffic/);
  });
});

describe('following a task', () => {
  it('leaves the task running on exit and shows the follow command', async () => {
    const reference = `${await project(on.daemon)}/production/db`;
    const gate = on.daemon.engine.controls.pause('createGroup');
    const left = new AbortController();
    const { code, stderr } = await on.davit.run(['database', 'create', reference, 'postgres'], {
      signal: left.signal,
      onOutput: onceSeen(/✓ Create the volume/, () => left.abort()),
    });
    assert.equal(code, 130, stderr);
    const [, followCommand = ''] =
      /Follow it: davit (task follow \d+)\. Cancel it: davit task cancel \d+/.exec(stderr) ?? [];

    gate.open();
    const followed = await on.davit.run([...followCommand.split(' '), '--json']);
    assert.equal(followed.code, 0, followed.stderr);
    assert.equal(JSON.parse(followed.stdout).status, 'succeeded');
  });
});
