/** Tests sign-in without a browser: with an API key, with a password, and on an instance without an account. */
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { ADMIN, bootDaemon, type TestDaemon } from '@davit/testkit';
import { Davit } from './support/davit.ts';

const ANONYMOUS = { DAVIT_URL: '', DAVIT_API_KEY: '' };

describe('davit login', () => {
  let daemon: TestDaemon;
  let davit: Davit;
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());
  beforeEach(async () => {
    davit = await Davit.at(daemon);
  });
  afterEach(() => davit[Symbol.asyncDispose]());

  const login = (words: string[], input: string, url = daemon.url) =>
    davit.run(['login', url, ...words], { input, env: ANONYMOUS });
  const stored = async () => JSON.parse(await readFile(join(davit.folder, '.config/davit/credentials.json'), 'utf8'));

  test('stores a key from stdin in a private file and shows its user', async () => {
    const { code, stdout, stderr } = await login([], `${daemon.key}\n`);

    assert.equal(code, 0, stderr);
    const host = new URL(daemon.url).host;
    assert.equal(stdout, `Signed in to ${daemon.url} as ${ADMIN.username} (admin); context ${host}.\n`);
    const contexts = { [host]: { url: daemon.url, key: daemon.key, username: ADMIN.username } };
    assert.deepEqual(await stored(), { current: host, contexts });
    assert.equal((await stat(join(davit.folder, '.config/davit/credentials.json'))).mode & 0o777, 0o600);
    assert.equal((await davit.run(['status'], { env: ANONYMOUS })).code, 0);
  });

  test('creates a named key with a password and ends the temporary session', async () => {
    const { code, stderr } = await login(['-u', ADMIN.username, '--name', 'home'], `${ADMIN.password}\n`);

    assert.equal(code, 0, stderr);
    const { key } = (await stored()).contexts.home;
    const { credential, key: named } = await daemon.clientFor(key).getMe();
    assert.equal(credential, 'key');
    assert.match(named?.name ?? '', /^davit on /);
    assert.deepEqual(
      await daemon.client.listUserSessions({ params: { user: ADMIN.username } }).then((all) => all.filter(isOurs)),
      [],
    );
  });

  test('stores nothing if the instance refuses the key or password', async () => {
    assert.equal((await login([], `davit_${'0'.repeat(64)}\n`)).code, 3);
    assert.equal((await login(['-u', ADMIN.username], 'not the password\n')).code, 3);
    const pasted = await login([], 'my secret password\n');
    assert.equal(pasted.code, 2);
    assert.doesNotMatch(pasted.stderr, /my secret/);
    assert.match(pasted.stderr, /Account page of the dashboard.*davit login http:\/\/\S+ --username <name>/);
    assert.doesNotMatch(pasted.stderr, /davit key create/, 'this command needs a sign-in first');
    await assert.rejects(stored(), /ENOENT/);
  });

  test('davit logout revokes the key and removes the context', async () => {
    await login(['-u', ADMIN.username, '--name', 'home'], `${ADMIN.password}\n`);
    const { key } = (await stored()).contexts.home;

    assert.equal((await davit.run(['logout'], { env: ANONYMOUS })).code, 0);

    await assert.rejects(daemon.clientFor(key).getMe(), /signed in|key/);
    assert.deepEqual(await stored(), { current: null, contexts: {} });
  });

  test('a command after davit logout advises to select one of the other contexts', async () => {
    for (const name of ['home', 'one', 'two']) await login(['--name', name], `${daemon.key}\n`);
    assert.equal((await davit.run(['logout', '--keep-key'], { env: ANONYMOUS })).code, 0);

    const unselected = await davit.run(['status'], { env: ANONYMOUS });

    assert.equal(unselected.code, 3);
    assert.match(unselected.stderr, /davit context use <name>`\. Available contexts: home, one\./);
    assert.doesNotMatch(unselected.stderr, /davit login/);
    assert.equal((await davit.run(['context', 'use', 'home'], { env: ANONYMOUS })).code, 0);
    assert.equal((await davit.run(['status'], { env: ANONYMOUS })).code, 0);
  });

  test('davit logout removes a context whose key is already revoked', async () => {
    await login(['-u', ADMIN.username, '--name', 'home'], `${ADMIN.password}\n`);
    const { key } = (await stored()).contexts.home;
    const me = await daemon.clientFor(key).getMe();
    await daemon.client.revokeUserKey({ params: { user: ADMIN.username, key: String(me.key?.id) } });

    assert.equal((await davit.run(['logout'], { env: ANONYMOUS })).code, 0);
    assert.deepEqual((await stored()).contexts, {});
  });

  test('claims a new instance with the setup token and a password from stdin', async () => {
    await using fresh = await bootDaemon({ claim: false });
    const refused = await login([], 'whatever\n', fresh.url);
    assert.equal(refused.code, 6);
    assert.match(refused.stderr, /has no users yet.* --claim --username/);

    const wrong = await login(['--claim', '-u', 'ada'], 'wrong\na long password indeed\n', fresh.url);
    assert.notEqual(wrong.code, 0);
    const claimed = await login(['--claim', '-u', 'ada'], `${fresh.setupToken}\na long password indeed\n`, fresh.url);

    assert.equal(claimed.code, 0, claimed.stderr);
    assert.match(claimed.stdout, /as ada \(admin\)/);
    assert.doesNotMatch(claimed.stdout + claimed.stderr + wrong.stderr, /a long password/);
    assert.equal((await login(['--claim', '-u', 'ada'], 'x\ny\n', fresh.url)).code, 6);
  });

  test('uses the current address again if no address is given', async () => {
    await login(['--name', 'home'], `${daemon.key}\n`);
    const again = await davit.run(['login'], { input: `${daemon.key}\n`, env: ANONYMOUS });
    assert.match(again.stdout, /context home\./);
    assert.deepEqual(Object.keys((await stored()).contexts), ['home']);
  });
});

/** Returns whether a session was created by the command line, and not by another test with another user agent. */
function isOurs({ user_agent }: { user_agent: string | null }): boolean {
  return user_agent === 'node';
}
