/**
 * Tests the npm package of the command line, installed in an empty folder. The package must run without this repository
 * on Node 20.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { bootDaemon, database, deployedApp, type TestDaemon } from '@davit/testkit';
import { type Installed, installPacked, oldestNode } from '../../../scripts/testing/packed.ts';

const run = promisify(execFile);

describe('the npm package of the CLI', () => {
  let installed: Installed;
  let daemon: TestDaemon;
  let node: string;
  before(async () => {
    [installed, daemon, node] = await Promise.all([installPacked('cli', 'davit'), bootDaemon(), oldestNode()]);
  });
  after(async () => {
    await daemon?.[Symbol.asyncDispose]();
    await installed?.[Symbol.asyncDispose]();
  });

  const davit = (args: string[], env: Record<string, string> = {}, input = '') => {
    const { HOME = '', PATH = '' } = { ...process.env, HOME: installed.folder };
    const ran = run(node, [installed.command, ...args], { cwd: installed.folder, env: { HOME, PATH, ...env } });
    ran.child.stdin?.end(input);
    return ran;
  };

  test('contains no dependencies, no source files and no daemon code', async () => {
    const found = await readdir(join(installed.folder, 'node_modules'));
    assert.deepEqual(
      found.filter((name) => !name.startsWith('.')),
      ['davit'],
    );
    assert.deepEqual(
      installed.files.filter(
        (path) =>
          !/^(bin\/davit\.mjs|dist\/[\w-]+\.mjs|dist\/LICENSES\.txt|package\.json|LICENSE|README\.md)$/.test(path),
      ),
      [],
    );
    for (const path of installed.files.filter((file) => file.startsWith('dist/'))) {
      const text = await readFile(join(installed.folder, 'node_modules/davit', path), 'utf8');
      assert.doesNotMatch(text, /node:sqlite|from"@davit\//, path);
    }
    assert.ok(!existsSync(join(installed.folder, 'node_modules/davit/src')));
  });

  test('prints its version with --version', async () => {
    const { version } = JSON.parse(await readFile(join(installed.folder, 'node_modules/davit/package.json'), 'utf8'));
    assert.equal((await davit(['--version'])).stdout, `${version}\n`);
  });

  test('signs in, deploys, lists apps and runs a command', async () => {
    const { app } = await deployedApp(daemon);
    const login = run(node, [installed.command, 'login', daemon.url], { env: { HOME: installed.folder } });
    login.child.stdin?.end(`${daemon.key}\n`);
    assert.match((await login).stdout, /^Signed in to http/);

    const deployed = await davit(['deploy', app.reference, '--tag', 'v2']);
    const listed = await davit(['app', 'list', '--json']);
    const ran = await davit(['run', app.reference, '--', 'echo', 'hello']);

    assert.match(deployed.stderr, /v2 of .* is live/);
    assert.equal(JSON.parse(listed.stdout)[0].reference, app.reference);
    assert.equal(ran.stdout, 'hello\n');
  });

  test('passes its input to the shell of a database', async () => {
    const { reference } = await database(daemon);
    daemon.engine.controls.program('psql', async ({ stdin, write }) => {
      for await (const chunk of stdin) await write(String(chunk));
      return 0;
    });
    const instance = { DAVIT_URL: daemon.url, DAVIT_API_KEY: daemon.key };

    const { stdout } = await davit(['database', 'shell', reference], instance, 'select 1\n');

    assert.equal(stdout, 'select 1\n');
  });

  test('connects to the instance over the local socket', async () => {
    const { stdout } = await davit(['status', '--local', '--json'], { DAVIT_DATA_DIR: daemon.dataDir });
    assert.equal(JSON.parse(stdout).me.username, 'local');
  });
});
