/** Backups of Redis on a real engine: a restore returns the keys, and the restored database stores them on disk. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Backup, DatabaseCredentials } from '@davit/api';
import { createdDatabase, done, inDatabase, pathOf, projectOf } from '../../support/live-database.ts';
import { LiveHarness } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

describe('Redis backups', () => {
  it('restore all keys as a new database and in place, also after a restart', inLong, async () => {
    await using harness = await LiveHarness.create();
    const project = await projectOf(harness);
    const main = await createdDatabase(harness, { project, name: 'main', engine: 'redis' });
    const redis = async (reference: string, ...lines: string[]) => {
      const { password } = (await harness.client.getDatabaseCredentials({
        params: pathOf(reference),
      })) as DatabaseCredentials;
      const said = [`AUTH default ${password}`, ...lines, ''].join('\n');
      return (await inDatabase(harness, reference, ['redis-cli', '--no-auth-warning'], said))
        .trim()
        .split(/\r?\n/)
        .slice(1);
    };
    const query = { wait: 'true' } as const;
    await redis(main, 'SET a 1', 'LPUSH list x y z', 'SELECT 3', 'SET c 3', 'SET gone 1 EX 1');

    await done(harness.client.backUpDatabase({ params: pathOf(main), query, body: {} }));
    const [{ id }] = (await harness.client.listDatabaseBackups({ params: pathOf(main) })) as [Backup];
    const params = { backup: String(id) };
    await done(harness.client.verifyBackup({ params, query }));
    await redis(main, 'FLUSHALL', 'SET other 1');
    await done(harness.client.restoreBackup({ params, query, body: { into: `${project}/production/copy` } }));
    await done(harness.client.restoreBackup({ params, query, body: { in_place: true, confirm: 'main' } }));
    await done(harness.client.restartDatabase({ params: pathOf(main), query }));

    for (const reference of [main, `${project}/production/copy`]) {
      const found = await redis(reference, 'GET a', 'LLEN list', 'EXISTS other', 'SELECT 3', 'GET c', 'ROLE');
      assert.deepEqual(found.slice(0, 6), ['1', '3', '0', 'OK', '3', 'master']);
    }
  });
});
