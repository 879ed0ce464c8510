/** Login and confirmation prompts of the command line at a real terminal. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ADMIN, app, bootDaemon, type TestDaemon } from '@davit/testkit';
import { DavitFolder, type Running } from '../../support/davit-command.ts';

const NO_CREDENTIALS = 'DAVIT_URL= DAVIT_API_KEY=';

describe('davit commands at a terminal', () => {
  let daemon: TestDaemon;
  let folder: DavitFolder;
  const boot = async (claim: boolean) => {
    daemon = await bootDaemon({ claim });
    folder = await DavitFolder.make({ url: daemon.url, key: daemon.key });
  };
  beforeEach(() => boot(true));
  afterEach(async () => {
    await folder[Symbol.asyncDispose]();
    await daemon[Symbol.asyncDispose]();
  });

  const login = (...words: string[]) =>
    folder.atShell(`${NO_CREDENTIALS} exec ${DavitFolder.line(['login', daemon.url, ...words])}`);
  const answer = async (davit: Running, question: RegExp, text: string) => {
    await davit.shows(question);
    davit.type(text);
  };
  const stored = async () => JSON.parse(await readFile(join(folder.path, '.config/davit/credentials.json'), 'utf8'));

  test('ask for a password without showing the password and store an API key', async () => {
    const davit = login('--name', 'home');
    await answer(davit, /Sign in with/, '\r');
    await answer(davit, /User name:/, `${ADMIN.username}\r`);
    await answer(davit, /Password of admin:/, `${ADMIN.password}\r`);

    const { code, stdout } = await davit.ended;

    assert.equal(code, 0, stdout);
    assert.match(stdout, /Signed in to .* as admin \(admin\); context home\./);
    assert.ok(!stdout.includes(ADMIN.password));
    const { key } = (await stored()).contexts.home;
    assert.equal((await daemon.clientFor(key).getMe()).credential, 'key');
    assert.ok(!stdout.includes(key));
  });

  test('create the first user during the first login', async () => {
    await folder[Symbol.asyncDispose]();
    await daemon[Symbol.asyncDispose]();
    await boot(false);
    const davit = login();
    await answer(davit, /Create the first user\?/, '\r');
    await answer(davit, /Setup token:/, `${daemon.setupToken}\r`);
    await answer(davit, /User name of the first user/, 'ada\r');
    await answer(davit, /at least 12 characters:/, 'a long password indeed\r');
    await answer(davit, /Repeat the password:/, 'a long password indeed\r');

    const { code, stdout } = await davit.ended;

    assert.equal(code, 0, stdout);
    assert.match(stdout, /Signed in to .* as ada \(admin\)/);
  });

  test('delete an app only if its name is typed, and cancel with Ctrl-C', async () => {
    const { reference, ...names } = await app(daemon);
    const params = { project: names.project, environment: names.environment, app: names.name };
    const wrong = folder.atTerminal(['app', 'delete', reference]);
    await answer(wrong, /to confirm:/, 'another\r');
    assert.equal((await wrong.ended).code, 1);
    const left = folder.atTerminal(['app', 'delete', reference]);
    await answer(left, /to confirm:/, '\u0003');
    assert.equal((await left.ended).code, 130);
    assert.equal((await daemon.client.getApp({ params })).reference, reference);

    const right = folder.atTerminal(['app', 'delete', reference]);
    await answer(right, /to confirm:/, `${reference}\r`);

    assert.equal((await right.ended).code, 0);
    await assert.rejects(daemon.client.getApp({ params }), /This app does not exist/);
  });
});
