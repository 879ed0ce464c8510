/** Commands and terminals in real containers, with the real command-line program. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '@davit/testkit/waiting';
import { DavitFolder } from '../../support/davit-command.ts';
import { testImage } from '../../support/docker-images.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { whyNoEngine } from '../../support/live-harness.ts';

const APP = { project: 'shop', environment: 'production', app: 'web' };

describe('davit commands in a real container', { skip: whyNoEngine() ?? false }, () => {
  let instance: Instance;
  let folder: DavitFolder;
  before(async () => {
    instance = await startInstance();
    folder = await DavitFolder.make(instance);
    const [image = '', tag = ''] = (await testImage(instance.docker, 'web')).split(':');
    await instance.createApp(APP, { image, port: 8080 });
    assert.equal((await instance.deploy(APP, tag)).status, 'succeeded');
    await folder.write('davit.yaml', 'app: shop/production/web\n');
  });
  after(async () => {
    await folder?.[Symbol.asyncDispose]();
    await instance?.[Symbol.asyncDispose]();
  });

  test('davit run passes on both outputs and the exit code', async () => {
    const ran = await folder.run(['run', '.', '--', 'sh', '-c', 'echo "$DAVIT_APP"; echo no >&2; exit 42']);

    assert.deepEqual(ran, { code: 42, stdout: 'web\n', stderr: 'no\n' });
  });

  test('Ctrl-C ends the command of davit run', async () => {
    const running = folder.start(['run', '.', '--', 'sh', '-c', 'echo begun; sleep 1000']);
    await running.shows(/begun/);

    running.interrupt();

    assert.equal((await running.ended).code, 130);
    await until('the command is ended', async () => {
      const [newest] = await instance.client.listRuns({ params: APP });
      return newest?.status === 'cancelled' || null;
    });
  });

  test('davit shell opens a terminal with size, Ctrl-C and exit code', async () => {
    const shell = folder.atTerminal(['shell']);
    await shell.shows(/[#$] /);

    shell.type('stty size; tty\r');
    // Each line is typed after the prompt appears, because a shell discards earlier input.
    await shell.shows(/24 80\s+\/dev\/pts\/\d+\s+\S+ # /);
    /*
     * The program in the foreground writes the text itself. After a text of the shell, Ctrl-C could arrive before the
     * shell has started the program.
     */
    shell.type(`sh -c 'echo be""gun; exec sleep 1000'\r`);
    await shell.shows(/begun/);
    shell.type('\u0003');
    await shell.shows(/begun[\s\S]* # /);
    shell.type('echo "after $?"\r');
    await shell.shows(/after 130/);
    shell.type('exit 9\r');

    assert.equal((await shell.ended).code, 9);
  });

  test('davit run with a terminal opens a program with its arguments', async () => {
    const terminal = folder.atTerminal(['run', '-it', '.', '--', 'sh', '-c', 'read word; echo "got $word"; exit 4']);

    terminal.type('a word\r');
    await terminal.shows(/got a word/);

    assert.equal((await terminal.ended).code, 4);
  });
});
