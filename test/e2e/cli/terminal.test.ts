/** The command line at a terminal, against a daemon on a simulated engine: shells, progress, and Ctrl-C. */

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { bootDaemon, deployedApp, slug, type TestDaemon } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { DavitFolder } from '../../support/davit-command.ts';
import { inLong } from '../../support/tiers.ts';

let daemon: TestDaemon;
let folder: DavitFolder;
let reference: string;
before(async () => {
  daemon = await bootDaemon();
  folder = await DavitFolder.make(daemon);
  reference = (await deployedApp(daemon)).app.reference;
});
after(async () => {
  await folder[Symbol.asyncDispose]();
  await daemon[Symbol.asyncDispose]();
});

describe('davit shell', () => {
  it('reports the terminal size, passes Ctrl-C on and returns the program’s exit code', async () => {
    const shell = folder.atTerminal(['shell', reference]);
    await shell.shows(/\$ /);

    shell.type('stty size\r');
    await shell.shows(/24 80/);
    shell.type('sleep\r');
    await shell.shows(/sleep\r+\n/);
    shell.type('\u0003');
    await shell.shows(/\^C\r+\n\$ /);
    shell.type('exit 7\r');

    assert.equal((await shell.ended).code, 7);
  });

  it('passes a changed window size on to the program', async () => {
    const resize = 'while [ ! -e wide ]; do sleep 0.05; done; stty rows 40 columns 100 < /dev/tty; touch done';
    const shell = folder.atShell(`(${resize}) & exec ${DavitFolder.line(['shell', reference])}`);
    await shell.shows(/\$ /);

    await folder.write('wide', '');
    await until('the size has changed', async () => (await readdir(folder.path)).includes('done') || null);
    /*
     * The window size and the input arrive in an undefined order, so the query is repeated until the program has the
     * new size.
     */
    await until('the program knows', async () => {
      shell.type('stty size\r');
      return shell.shows(/40 100/, 500).then(
        () => true,
        () => null,
      );
    });
    shell.type('exit\r');

    assert.equal((await shell.ended).code, 0);
  });

  it('restores the terminal settings when the connection breaks', inLong, async () => {
    const shell = folder.atShell(`${DavitFolder.line(['shell', reference])}; stty -a; echo "code $?"`);
    await shell.shows(/\$ /);

    await daemon.restart();
    const { stdout } = await shell.ended;
    await folder[Symbol.asyncDispose]();
    folder = await DavitFolder.make(daemon);

    assert.match(stdout, /The instance is stopping|The connection was interrupted/);
    assert.match(stdout, /(?<!-)icanon[\s\S]*(?<!-)echo /);
  });

  it('opens a program with its arguments for davit run -it', async () => {
    const terminal = folder.atTerminal(['run', '-it', reference, '--', '/bin/bash', '-i']);
    await terminal.shows(/\$ /);

    terminal.type('exit 3\r');

    assert.equal((await terminal.ended).code, 3);
  });

  it('explains why a shell cannot open and exits with an error code', inLong, async () => {
    const missing = await folder.atTerminal(['shell', 'no/such/app']).ended;
    const program = await folder.atTerminal(['shell', reference, '--shell', '/bin/no-such']).ended;
    const plain = await folder.run(['shell', reference]);

    assert.deepEqual([missing.code, program.code, plain.code], [5, 6, 2]);
    assert.match(program.stdout, /error:.*The command does not exist in the image/);
    assert.match(plain.stderr, /This command needs a terminal/);
  });
});

describe('davit init', () => {
  it('asks for missing values at a terminal and writes no file after Ctrl-C', async () => {
    const left = folder.atTerminal(['init', '-f', 'left.yaml']);
    await left.shows(/App, as project/);
    left.type('\u0003');
    const { code } = await left.ended;
    const init = folder.atTerminal(['init', '-f', 'asked.yaml', '--app', 'shop/production/web']);
    await init.shows(/Port that the app listens on/);
    init.type('\u007f\u007f\u007f\u007f9000\r');

    assert.equal((await init.ended).code, 0);
    assert.equal(code, 130);
    const files = await readdir(folder.path);
    assert.deepEqual([files.includes('left.yaml'), files.includes('asked.yaml')], [false, true]);
    assert.match(init.stdout, /Wrote asked\.yaml for shop\/production\/web, and \.davit\/schema\.json for editors/);
    assert.deepEqual(await readdir(join(folder.path, '.davit')), ['schema.json']);
    assert.match(await readFile(join(folder.path, 'asked.yaml'), 'utf8'), /^app: shop\/production\/web\nport: 9000$/m);
  });
});

describe('Ctrl-C during a davit command', () => {
  it('leaves a deployment running and prints the command to follow the deployment', async () => {
    const name = slug('left');
    await folder.write('davit.yaml', `app: ${name}/production/web\nimage: example/web:v1-slow\nhealth: {path: /up}\n`);
    const gate = daemon.engine.controls.pause('createGroup');
    const up = folder.start(['up']);
    await up.shows(/✓ Prepare the network/);

    up.interrupt();
    const { code, stderr } = await up.ended;
    gate.open();

    assert.equal(code, 130);
    assert.match(stderr, /Deployment \d+ continues in the background\. Follow it: davit deployment follow/);
    await daemon.settled();
    const params = { project: name, environment: 'production', app: 'web' };
    assert.equal((await daemon.client.getApp({ params })).status, 'running');
  });

  it('ends davit logs -f with exit code 130 and without error output', inLong, async () => {
    const logs = folder.start(['logs', '-f', reference]);
    await logs.shows(/listening/);

    logs.interrupt();

    assert.deepEqual(await logs.ended, { code: 130, stdout: logs.stdout, stderr: '' });
  });
});
