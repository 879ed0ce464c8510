/** Tunnels to databases on a real engine, with the real command-line program and database clients outside Davit. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { DatabaseEngine } from '@davit/api';
import { DavitFolder, type Running } from '../../support/davit-command.ts';
import { HostClient } from '../../support/host-client.ts';
import { createdDatabase, pathOf, projectOf, psql } from '../../support/live-database.ts';
import { LiveHarness } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

describe('davit tunnel', () => {
  let harness: LiveHarness;
  let folder: DavitFolder;
  let project: string;
  before(async () => {
    harness = await LiveHarness.create();
    folder = await DavitFolder.make(harness.instance);
    project = await projectOf(harness);
  });
  after(async () => {
    await folder?.[Symbol.asyncDispose]();
    await harness?.[Symbol.asyncDispose]();
  });

  async function opened(reference: string): Promise<{ running: Running; port: string; url: string }> {
    const running = folder.start(['tunnel', reference]);
    await running.shows(/127\.0\.0\.1:\d+.*\n/);
    const [, port = '', url = ''] = /127\.0\.0\.1:(\d+): (\S+)\n/.exec(running.stdout) ?? [];
    return { running, port, url };
  }

  async function clientOf(reference: string): Promise<HostClient> {
    const { image, engine } = await harness.client.getDatabase({ params: pathOf(reference) });
    return HostClient.start(harness.docker, `davit-test-${harness.instance.id}-${engine}`, image);
  }

  async function closed(running: Running): Promise<void> {
    running.interrupt();
    assert.equal((await running.ended).code, 130);
  }

  it('lets psql and pg_dump connect to PostgreSQL', async () => {
    const reference = await createdDatabase(harness, { project, name: 'goods', engine: 'postgres' });
    await psql(
      harness,
      reference,
      'goods',
      "SET ROLE davit_owner; CREATE TABLE kept AS SELECT n, repeat('davit ', 20) AS word FROM generate_series(1, 100000) n;",
    );
    const { password } = await harness.client.getDatabaseCredentials({ params: pathOf(reference) });
    await using client = await clientOf(reference);
    const { running, url } = await opened(reference);
    assert.ok(!url.includes(password));

    const asked = await client.run(['psql', '-XAt', url], { PGPASSWORD: password }, 'select count(*) from kept;\n');
    const dumped = await client.run(['pg_dump', url], { PGPASSWORD: password });
    const wrong = await client.run(['psql', '-XAtw', url, '-c', 'select 1'], { PGPASSWORD: 'wrong' });

    assert.deepEqual(asked, { code: 0, stdout: '100000\n', stderr: '' });
    assert.deepEqual([dumped.code, dumped.stderr], [0, '']);
    assert.equal(dumped.stdout.match(/davit davit/g)?.length, 1_000_000);
    assert.notEqual(wrong.code, 0);
    await closed(running);
  });

  const others: { engine: DatabaseEngine; command: (port: string, user: string) => string[]; variable: string }[] = [
    {
      engine: 'mariadb',
      command: (port, user) => ['mariadb', '-h', '127.0.0.1', '-P', port, '-u', user, '-NBe', 'select 6 * 7'],
      variable: 'MYSQL_PWD',
    },
    {
      engine: 'redis',
      command: (port, user) => ['redis-cli', '-p', port, '--no-auth-warning', '--user', user, 'ECHO', '42'],
      variable: 'REDISCLI_AUTH',
    },
  ];
  for (const { engine, command, variable } of others) {
    it(`lets a client connect to ${engine}`, inLong, async () => {
      const reference = await createdDatabase(harness, { project, name: `${engine}-far`, engine });
      const login = await harness.client.getDatabaseCredentials({ params: pathOf(reference) });
      await using client = await clientOf(reference);
      const { running, port } = await opened(reference);

      const asked = await client.run(command(port, login.username), { [variable]: login.password });

      assert.deepEqual(asked, { code: 0, stdout: '42\n', stderr: '' });
      await closed(running);
    });
  }

  it('connects to the port of an app', async () => {
    const { reference } = await harness.deployedApp();
    const running = folder.start(['tunnel', reference]);
    await running.shows(/127\.0\.0\.1:\d+.*\n/);
    const [, port] = /127\.0\.0\.1:(\d+)\n/.exec(running.stdout) ?? [];

    assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200);

    await closed(running);
  });
});
