/** Backups through the API, with the simulated engine. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Backup, BackupCoverage, BackupSchedule, Database, Task } from '@davit/api';
import { type Answer, bootDaemon, database, databaseParams, type TestDaemon, user } from '@davit/testkit';
import { databaseById } from '../../src/db/tables/managed-database.ts';

const START = Date.parse('2026-06-01T12:00:30Z');
const DAY = 86_400_000;
const TABLES = { 'public.goods': 3 };

const parse = <T>(answer: Answer) => JSON.parse(answer.text) as T;

describe('database backups', () => {
  let now = START;
  let daemon: TestDaemon;
  let main: Database;
  let at: string;

  before(async () => {
    daemon = await bootDaemon({ now: () => now, taskLimits: { readyEveryMs: 1 } });
  });
  after(() => daemon[Symbol.asyncDispose]());
  beforeEach(async () => {
    main = await database(daemon, { engine: 'postgres' });
    at = `/api/databases/${main.reference}`;
    setRows(TABLES);
  });

  const setRows = (rows: Record<string, number>) => {
    const { volume } = databaseById(daemon.core.store, main.id) ?? assert.fail('it is gone');
    daemon.engine.controls.rows.set(volume, rows);
  };
  const backups = async () => parse<Backup[]>(await daemon.call('GET', `${at}/backups`));
  const coverage = async () => {
    const all = parse<BackupCoverage[]>(await daemon.call('GET', '/api/backups/coverage'));
    return all.find(({ database: of }) => of === main.reference) ?? assert.fail('it is not in there');
  };
  const take = async (): Promise<Backup> => {
    const task = parse<Task>(await daemon.call('POST', `${at}/backups?wait=true`));
    assert.equal(task.status, 'succeeded', task.error ?? '');
    const [newest] = await backups();
    return newest ?? assert.fail('there is none');
  };
  const schedule = async (fields: object = {}): Promise<BackupSchedule> => {
    const answer = await daemon.call('PUT', `${at}/backups/schedule`, { cron: '0 3 * * *', keep: 2, ...fields });
    assert.equal(answer.status, 200, answer.text);
    return parse(answer);
  };
  /** Sets the clock and waits until all backup work that is due has ended. */
  const when = async (time: number) => {
    now = time;
    daemon.core.nudgeBackups();
    // The first call waits for the start of due work, the second for its end.
    await daemon.settled();
    await daemon.settled();
  };
  const files = async () => {
    const found = await readdir(join(daemon.dataDir, 'backups'), { recursive: true }).catch(() => []);
    return found.filter((name) => name.includes(`/${main.name}/`));
  };
  const breakDump = () =>
    daemon.engine.controls.program('pg_dump', async ({ write, complain }) => {
      await write('PGDMP {"public.go');
      complain('pg_dump: error: connection to server was lost\n');
      return 1;
    });
  const mendDump = () =>
    daemon.engine.controls.program('pg_dump', async ({ write }) => {
      await write(`PGDMP ${JSON.stringify(TABLES)}`);
      return 0;
    });

  it('record the details of a backup and store one file', async () => {
    const backup = await take();

    const { id, task, started_at, finished_at, size_bytes, dump_bytes, key, ...rest } = backup;
    assert.deepEqual(rest, {
      ...{ database: main.reference, database_exists: true, engine: 'postgres', version: main.version, kind: 'dump' },
      ...{ origin: 'manual', status: 'succeeded', error: null, destination: { kind: 'disk' }, verified: null },
      ...{ by: 'admin', via: 'api' },
    });
    assert.ok((size_bytes ?? 0) > (dump_bytes ?? 0) && dump_bytes === 'PGDMP {"public.goods":3}'.length);
    assert.ok(key.endsWith(`${main.reference}/${main.id}-${id}.davitbackup`));
    assert.equal((await files()).length, 1);
    assert.ok(typeof task === 'number' && started_at <= (finished_at ?? ''));
  });

  it('keep a failed backup as a record with its reason but no file', async () => {
    breakDump();
    try {
      const task = parse<Task>(await daemon.call('POST', `${at}/backups?wait=true`));

      assert.equal(task.status, 'failed');
      const [failed] = await backups();
      assert.equal(failed?.status, 'failed');
      assert.match(failed?.error ?? '', /pg_dump exited with code 1: pg_dump: error: connection to server was lost/);
      assert.deepEqual(await files(), []);
      assert.match((await coverage()).problem ?? '', /last backup failed/);
    } finally {
      mendDump();
    }
  });

  it('can be downloaded unchanged, but only by an admin', async () => {
    const { id } = await take();
    const path = `/api/backups/${id}/download`;

    const answer = await daemon.call('GET', path);

    const { events } = await daemon.client.listAudit({ query: { limit: '1' } });
    const [row] = events;
    assert.deepEqual([row?.operation, row?.target, row?.outcome], ['downloadBackup', `backups/${id}`, 'ok']);
    assert.equal(answer.text, `PGDMP ${JSON.stringify(TABLES)}`);
    assert.equal(answer.headers.get('content-type'), 'application/octet-stream');
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="[a-z0-9-]+\.pgdump"$/);
    const { key } = user(daemon, 'member');
    assert.equal((await daemon.call('GET', path, undefined, key)).status, 403);
  });

  it('are compressed if the dump tool does not compress, and downloaded uncompressed', async () => {
    const shop = await database(daemon, { engine: 'mariadb' });
    const lines = 'INSERT INTO goods VALUES (1);\n'.repeat(10_000);
    daemon.engine.controls.program('mariadb-dump', async ({ write }) => {
      await write(lines);
      return 0;
    });

    const task = parse<Task>(await daemon.call('POST', `/api/databases/${shop.reference}/backups?wait=true`));
    assert.equal(task.status, 'succeeded', task.error ?? '');
    const [backup] = parse<Backup[]>(await daemon.call('GET', `/api/databases/${shop.reference}/backups`));

    assert.equal(backup?.dump_bytes, lines.length);
    assert.ok((backup?.size_bytes ?? lines.length) < lines.length / 10);
    assert.equal((await daemon.call('GET', `/api/backups/${backup?.id}/download`)).text, lines);
  });

  it('are deleted with their file after a confirmation with the database name', async () => {
    const { id } = await take();
    const path = `/api/backups/${id}`;

    assert.equal((await daemon.call('DELETE', `${path}?confirm=other`)).status, 400);
    assert.equal((await files()).length, 1);
    assert.equal((await daemon.call('DELETE', `${path}?confirm=${main.name}`)).status, 204);

    assert.deepEqual(await files(), []);
    assert.equal((await daemon.call('GET', path)).status, 404);
  });

  it('have a schedule that can be set, read and removed', async () => {
    assert.equal((await daemon.call('GET', `${at}/backups/schedule`)).status, 404);

    const put = await schedule({ time_zone: 'Europe/Berlin', verify_every_days: 7 });

    assert.deepEqual([put.keep, put.destination, put.next_at?.slice(11)], [2, { kind: 'disk' }, '01:00:00.000Z']);
    assert.deepEqual(parse(await daemon.call('GET', `${at}/backups/schedule`)), put);
    assert.equal((await daemon.call('DELETE', `${at}/backups/schedule`)).status, 204);
    assert.equal((await daemon.call('DELETE', `${at}/backups/schedule`)).status, 404);
  });

  it('refuse a schedule with an invalid field or destination', async () => {
    const refused = async (fields: object, message: RegExp) => {
      const answer = await daemon.call('PUT', `${at}/backups/schedule`, { cron: '0 3 * * *', ...fields });
      assert.ok(answer.status === 400 || answer.status === 409, answer.text);
      assert.match(answer.text, message);
    };

    await refused({ cron: '99 3 * * *' }, /cron/);
    await refused({ cron: '0 0 31 2 *' }, /never matches a time/);
    await refused({ time_zone: 'Mars/Base' }, /time zone/);
    await refused({ keep: 0 }, /keep/);
    await refused(
      { destination: { kind: 'object_store', object_store: 'nowhere', bucket: 'backups' } },
      /The object store nowhere does not exist/,
    );
  });

  it('run once at the scheduled time and keep only the newest successful backups', async () => {
    now = Date.parse('2026-06-10T02:00:00Z');
    await schedule();
    for (let day = 0; day < 4; day += 1) await when(Date.parse('2026-06-10T03:00:00Z') + day * DAY);

    const kept = await backups();

    assert.deepEqual(
      kept.map(({ origin, status, started_at }) => [origin, status, started_at.slice(0, 10)]),
      [
        ['schedule', 'succeeded', '2026-06-13'],
        ['schedule', 'succeeded', '2026-06-12'],
      ],
    );
    assert.equal((await files()).length, 2);
    await when(now + 60_000);
    assert.equal((await backups()).length, 2);
  });

  it('keep the last successful and manual backups if later backups fail', async () => {
    now = Date.parse('2026-06-20T02:00:00Z');
    const manual = await take();
    await schedule({ keep: 1 });
    await when(Date.parse('2026-06-20T03:00:00Z'));
    breakDump();
    try {
      for (let day = 1; day < 4; day += 1) await when(Date.parse('2026-06-20T03:00:00Z') + day * DAY);
    } finally {
      mendDump();
    }

    const all = await backups();

    assert.deepEqual(
      all.map(({ status }) => status),
      ['failed', 'failed', 'failed', 'succeeded', 'succeeded'],
    );
    assert.equal(all.at(-1)?.id, manual.id);
    assert.equal((await coverage()).last_good?.backup, all[3]?.id);
    const { warnings } = await daemon.client.getInstance();
    assert.ok(
      warnings.some((text) => text.includes(main.reference) && text.includes('pg_dump')),
      warnings.join(),
    );
  });

  it('report a backup that was missed by a stopped instance or database', async () => {
    await schedule({ cron: '0 3 1 * *' });
    await when(Date.parse('2026-07-01T05:00:00Z'));
    assert.match((await coverage()).problem ?? '', /has no backup/);
    const { missed } = parse<BackupSchedule>(await daemon.call('GET', `${at}/backups/schedule`));
    assert.match(missed ?? '', /not running at 2026-07-01T03:00:00.000Z/);

    await daemon.call('POST', `${at}/stop?wait=true`);
    await when(Date.parse('2026-08-01T03:00:10Z'));

    const stopped = parse<BackupSchedule>(await daemon.call('GET', `${at}/backups/schedule`));
    assert.equal(stopped.missed, 'The database was stopped.');
    assert.deepEqual(await backups(), []);
  });

  it('are verified on schedule, and a missing table is reported', async () => {
    const { id } = await take();
    await schedule({ cron: '0 3 1 1 *', verify_every_days: 7 });
    await when(now + 1);
    const read = async () => parse<Backup>(await daemon.call('GET', `/api/backups/${id}`));
    assert.equal((await read()).verified?.ok, true);
    assert.notEqual((await coverage()).last_verified_at, null);

    daemon.engine.controls.program('pg_restore', async ({ stdin }) => {
      for await (const _ of stdin);
      return 0;
    });
    await when(now + 8 * DAY);

    const { verified } = await read();
    assert.equal(verified?.ok, false);
    assert.match(verified?.error ?? '', /“public.goods” is missing/);
    assert.match((await coverage()).problem ?? '', /could not be verified/);
    assert.deepEqual(
      parse<Database[]>(await daemon.call('GET', '/api/databases')).filter(({ name }) => name.startsWith('~')),
      [],
    );
  });
});

describe('user limited to a project', () => {
  it('cannot see or restore backups of another project', async () => {
    await using daemon = await bootDaemon({ taskLimits: { readyEveryMs: 1 } });
    const [theirs, other] = [await database(daemon), await database(daemon)];
    const ids: number[] = [];
    for (const one of [theirs, other]) {
      await daemon.client.backUpDatabase({ params: databaseParams(one), query: { wait: 'true' }, body: {} });
      const [backup] = await daemon.client.listDatabaseBackups({ params: databaseParams(one) });
      ids.push(backup?.id ?? assert.fail('there is none'));
    }
    const { key } = user(daemon, 'admin', [theirs.project]);

    const listed = parse<Backup[]>(await daemon.call('GET', '/api/backups', undefined, key));
    const covered = parse<BackupCoverage[]>(await daemon.call('GET', '/api/backups/coverage', undefined, key));
    const into = `${other.project}/production/stolen`;
    const stolen = await daemon.call('POST', `/api/backups/${ids[0]}/restore`, { into }, key);

    assert.deepEqual(
      [listed.map(({ id }) => id), covered.map(({ database: of }) => of)],
      [[ids[0]], [theirs.reference]],
    );
    for (const path of ['', '/download']) {
      assert.equal((await daemon.call('GET', `/api/backups/${ids[1]}${path}`, undefined, key)).status, 404);
    }
    assert.equal(stolen.status, 404, stolen.text);
  });
});
