/** `davit registry login` with the Docker client of the machine and the registry of an instance. */

import assert from 'node:assert/strict';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { until } from '@davit/testkit/waiting';
import { DavitFolder } from '../../support/davit-command.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { whyNoEngine } from '../../support/live-harness.ts';

describe('davit registry login', { skip: whyNoEngine() ?? false }, () => {
  let instance: Instance;
  let folder: DavitFolder;
  before(async () => {
    instance = await startInstance();
    folder = await DavitFolder.make(instance);
    await until('the registry runs', async () => {
      return (await instance.client.getOwnRegistry()).status === 'running' ? true : null;
    });
  });
  after(async () => {
    await folder?.[Symbol.asyncDispose]();
    await instance?.[Symbol.asyncDispose]();
  });

  test('signs Docker in without printing the API key', async () => {
    const { code, stdout, stderr } = await folder.run(['registry', 'login', '--json']);

    assert.equal(code, 0, stderr);
    const { local_address } = await instance.client.getOwnRegistry();
    assert.deepEqual(JSON.parse(stdout), { address: local_address, username: 'admin' });
    assert.doesNotMatch(stdout + stderr, new RegExp(instance.key));
    const { auths } = JSON.parse(await readFile(join(folder.path, '.docker/config.json'), 'utf8'));
    assert.equal(Buffer.from(auths[local_address].auth, 'base64').toString(), `admin:${instance.key}`);
  });

  test('reports Docker’s error without the API key if the login fails', async () => {
    const { code, stderr } = await folder.run(['registry', 'login', '--address', `localhost:${instance.httpPort}`]);

    assert.equal(code, 1);
    assert.match(stderr, /^error: docker login localhost:\d+ failed: ./);
    assert.doesNotMatch(stderr, new RegExp(instance.key));
  });

  test('suggests another client if Docker is not installed', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'davit-path-'));
    const { code, stderr } = await folder.run(['registry', 'login'], {
      PATH: `${await pathWithoutDocker()}${delimiter}${empty}`,
    });
    await rm(empty, { recursive: true });

    assert.equal(code, 1, stderr);
    assert.match(stderr, /Docker is not installed\. Use another client: sign in to localhost:\d+ as admin/);
  });
});

/** Returns a PATH that contains only the folder of Node. */
async function pathWithoutDocker(): Promise<string> {
  const folders = [join(process.execPath, '..'), join(import.meta.dirname, '../../../node_modules/.bin')];
  for (const folder of folders) {
    const hasDocker = await access(join(folder, 'docker')).then(
      () => true,
      () => false,
    );
    if (!hasDocker) return folder;
  }
  throw new Error('there is a docker beside every node');
}
