import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { database, databaseParams, slug } from '@davit/testkit';
import { withDavit } from './support/davit.ts';

describe('davit database credentials', () => {
  const on = withDavit();

  async function exposed() {
    const made = await database(on.daemon);
    await on.daemon.client.exposeDatabase({ params: databaseParams(made), query: { wait: 'true' } });
    return made;
  }

  async function folder(): Promise<{ cwd: string; path: string }> {
    const cwd = slug('f');
    const path = join(on.davit.folder, cwd);
    await mkdir(path);
    return { cwd, path };
  }

  it('prints one line for each client of an exposed database, and saves no file', async () => {
    const made = await exposed();
    const { cwd, path } = await folder();

    const { code, stdout, stderr } = await on.davit.run(['database', 'credentials', made.reference], { cwd });

    assert.equal(code, 0, stderr);
    const { exposed: of } = await on.daemon.client.getDatabaseCredentials({ params: databaseParams(made) });
    assert.ok(of && of.clients.length > 0);
    for (const { client, line } of of.clients)
      assert.ok(
        stdout.split('\n').some((one) => one.startsWith(client) && one.endsWith(line)),
        client,
      );
    assert.match(stdout, /^CA file +davit-ca\.pem$/m);
    assert.doesNotMatch(stdout, /BEGIN CERTIFICATE/);
    assert.deepEqual(await readdir(path), []);
  });

  it('prints no connection lines of a database without a port', async () => {
    const made = await database(on.daemon);

    const { stdout } = await on.davit.run(['database', 'credentials', made.reference]);

    assert.match(stdout, /^url +postgresql:/m);
    assert.doesNotMatch(stdout, /psql|davit-ca\.pem/);
  });

  it('succeeds again with --save-ca if the file already contains the CA certificate', async () => {
    const made = await exposed();
    const { cwd, path } = await folder();
    const line = ['database', 'credentials', made.reference, '--save-ca'];

    const first = await on.davit.run(line, { cwd });
    const second = await on.davit.run(line, { cwd });

    assert.equal(second.code, 0, second.stderr);
    assert.equal(second.stdout, first.stdout);
    assert.equal(await readFile(join(path, 'davit-ca.pem'), 'utf8'), await on.daemon.client.getInstanceCa());
  });

  it('saves the CA certificate with --save-ca, and overwrites a file only with --force', async () => {
    const made = await exposed();
    const { cwd, path } = await folder();
    const file = join(path, 'davit-ca.pem');
    const line = ['database', 'credentials', made.reference, '--save-ca'];

    const first = await on.davit.run(line, { cwd });
    assert.equal(first.code, 0, first.stderr);
    assert.equal(await readFile(file, 'utf8'), await on.daemon.client.getInstanceCa());

    await writeFile(file, 'other');
    const second = await on.davit.run(line, { cwd });
    assert.notEqual(second.code, 0);
    assert.equal(second.stdout, '');
    assert.equal(await readFile(file, 'utf8'), 'other');

    assert.equal((await on.davit.run([...line, '--force'], { cwd })).code, 0);
    assert.match(await readFile(file, 'utf8'), /^-----BEGIN CERTIFICATE-----\n/);
  });
});
