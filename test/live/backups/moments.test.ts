/** Point-in-time recovery of PostgreSQL: its log is stored with its backups, and replayed on a base backup. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Backup, BackupCoverage, Task } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { createdDatabase, done, logsOf, pathOf, projectOf, psql } from '../../support/live-database.ts';
import { LiveHarness } from '../../support/live-harness.ts';
import { POSTGRES_REACHES } from '../../support/login-attacks.ts';
import { inLong } from '../../support/tiers.ts';

describe('PostgreSQL point-in-time recovery', () => {
  it('restores the rows from before a deletion into a new database', inLong, async () => {
    await using harness = await LiveHarness.create();
    const project = await projectOf(harness);
    const main = await createdDatabase(harness, { project, name: 'main', engine: 'postgres' });
    const params = pathOf(main);
    const query = { wait: 'true' } as const;
    await done(harness.client.addDatabaseExtensions({ params, query, body: { extensions: ['dblink'] } }));
    const sql = (text: string) => psql(harness, main, 'main', text);
    await harness.client.putBackupSchedule({ params, body: { cron: '0 3 * * *', point_in_time: true } });
    const coverage = async () => {
      const all = (await harness.client.listBackupCoverage()) as BackupCoverage[];
      return all.find(({ database }) => database === main)?.point_in_time ?? assert.fail('nothing is kept');
    };
    await until('a first point in time is covered', async () => (await coverage()).from !== null);
    await sql(POSTGRES_REACHES);
    await sql('CREATE TABLE goods (n int); INSERT INTO goods SELECT generate_series(1, 500);');
    await sql('CREATE UNLOGGED TABLE "Cache" (n int); INSERT INTO "Cache" SELECT generate_series(1, 5);');
    await delay(1_100);
    const moment = (await sql('SELECT to_char(now() AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"\');')).trim();
    await delay(1_100);
    await sql('DELETE FROM goods; SELECT pg_switch_wal();');
    await until('the moment is covered', async () => ((await coverage()).to ?? '') > moment);

    const into = `${project}/production/before`;
    const { log } = await done(harness.client.restoreDatabaseTo({ params, query, body: { at: moment, into } }));

    assert.equal(Number(await psql(harness, into, 'main', 'SELECT count(*) FROM goods;')), 500);
    assert.equal(Number(await sql('SELECT count(*) FROM goods;')), 0);
    assert.equal(Number(await psql(harness, into, 'main', 'SELECT count(*) FROM "Cache";')), 0);
    assert.match(log?.join('\n') ?? '', /empties unlogged tables .*: public\."Cache"\.$/m);
    /*
     * The imported rows could connect to both servers: the new one, and the second one that was recovered to the point
     * in time.
     */
    const answers = (await logsOf(harness, into)).match(/answer of host=.*: .*authentication failed/g);
    assert.equal(answers?.length, 2, String(answers));
    const [base] = (await harness.client.listDatabaseBackups({ params })) as Backup[];
    assert.equal(base?.kind, 'base');
    const verification = harness.client.verifyBackup({ params: { backup: String(base?.id) }, query });
    await assert.rejects(verification as Promise<Task>, /is a base backup, which cannot be restored directly/);
    const tooEarly = { at: '2020-01-01T00:00:00Z', into: `${project}/production/never` };
    await assert.rejects(
      harness.client.restoreDatabaseTo({ params, body: tooEarly }) as Promise<Task>,
      /cannot be restored to this point in time/,
    );
  });
});
