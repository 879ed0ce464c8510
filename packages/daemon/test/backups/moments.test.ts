/** Point-in-time recovery: times without data are refused with the reason, and missing log segments cause a warning. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { BackupSchedulePut, DatabaseCreate, DavitError, ObjectStoreLink, PointInTimeRestore } from '@davit/api';
import { patience } from '@davit/testkit/waiting';
import { lastEndedBackup } from '../../src/db/tables/backup.ts';
import { lastSegment, recordSegment, segmentsOf } from '../../src/db/tables/backup-segment.ts';
import { databaseByReference } from '../../src/db/tables/managed-database.ts';
import { restoreDatabaseTo } from '../../src/resources/backups/copies.ts';
import { backupWarnings, listBackupCoverage } from '../../src/resources/backups/coverage.ts';
import { putBackupSchedule } from '../../src/resources/backups/schedule.ts';
import { keepLogs } from '../../src/resources/backups/wal/archive-loop.ts';
import { logTroubleOf } from '../../src/resources/backups/wal/archive-problem.ts';
import { currentBases, usableBases } from '../../src/resources/backups/wal/bases.ts';
import { createDatabase } from '../../src/resources/databases/create.ts';
import { linkObjectStore } from '../../src/resources/object-stores/object-store.ts';
import { createProject } from '../../src/resources/projects/project.ts';
import { database, made } from '../support/data-setup.ts';
import type { TaskHarness } from '../support/task-harness.ts';

const MINUTE = 60_000;
const piece = (n: number) => `00000001000000000000000${n.toString(16).toUpperCase()}`;

/** Returns an environment with point-in-time recovery and its first base backup. */
async function keeping(): Promise<TaskHarness> {
  const harness = await made();
  const input = BackupSchedulePut.parse({ cron: '0 3 1 1 *', point_in_time: true });
  await putBackupSchedule(harness.core, harness.ctx, database(harness), input);
  await harness.reconcile();
  harness.engine.controls.program('ls', async () => 0);
  await keep(harness);
  assert.equal(bases(harness).length, 1);
  return harness;
}

async function keep(harness: TaskHarness): Promise<void> {
  await keepLogs(harness.core, harness.ctx.log, patience());
  await harness.tasks.settled();
}

const bases = ({ core }: TaskHarness, row = database({ core } as TaskHarness)) => usableBases(core.store, row);

/** Records log segments by number. Each covers one more minute, and the base backup starts in the second segment. */
function arrived(harness: TaskHarness, pieces: readonly number[]): number {
  const { id: database_id, volume } = database(harness);
  const from = bases(harness).at(-1)?.finished_at ?? 0;
  const kept = { destination: '{"kind":"disk"}', key: 'none', size_bytes: 0 };
  for (const n of pieces) {
    const row = { ...kept, database_id, name: `${volume}/${piece(n)}`, at: from + n * MINUTE };
    harness.core.store.tx((tx) => recordSegment(tx, row));
  }
  return from;
}

function restoreTo(harness: TaskHarness, at: number): number {
  const input = PointInTimeRestore.parse({ at: new Date(at).toISOString(), into: 'shop/production/again' });
  return restoreDatabaseTo(harness.core, harness.ctx, database(harness), input);
}

const pointInTime = ({ core, ctx }: TaskHarness) =>
  listBackupCoverage(core, ctx, {}).items[0]?.point_in_time ?? assert.fail('nothing is kept');

test('a restore to a time after a missing log segment is refused', async () => {
  await using harness = await keeping();
  const from = arrived(harness, [2, 3, 5, 6]);

  const refused = (at: number) => {
    assert.throws(
      () => restoreTo(harness, at),
      (error) =>
        error instanceof DavitError &&
        error.code === 'conflict' &&
        error.message.includes(`missing after ${new Date(from + 3 * MINUTE).toISOString()}`),
    );
  };
  refused(from + 3 * MINUTE + 1);
  refused(from + 6 * MINUTE);
  assert.match(
    pointInTime(harness).problem ?? '',
    /A part of the transaction log is missing\. Until the next base backup, .* point in time after /,
  );
  assert.doesNotThrow(() => restoreTo(harness, from + 3 * MINUTE));
});

test('a restore accepts every time zone but no time outside the covered range', async () => {
  await using harness = await keeping();
  const from = arrived(harness, [1]);
  const input = (at: string) =>
    restoreDatabaseTo(
      harness.core,
      harness.ctx,
      database(harness),
      PointInTimeRestore.parse({ at, into: 'shop/production/again' }),
    );
  const there = (at: number) => `${new Date(at + 2 * 3_600_000).toISOString().slice(0, -1)}+02:00`;

  for (const at of [from - 1, from + MINUTE + 1, harness.clock + 86_400_000])
    assert.throws(
      () => input(there(at)),
      /cannot be restored to this point in time\. Choose a point in time from .* to /,
    );
  assert.equal((await harness.ended(input(there(from)))).status, 'succeeded');
  assert.equal(PointInTimeRestore.safeParse({ at: '2026-03-01 10:00', into: 'shop/production/x' }).success, false);
});

test('a new base backup is taken after a log segment is missing', async () => {
  await using harness = await keeping();
  arrived(harness, [2, 3]);
  await keep(harness);
  assert.equal(bases(harness).length, 1);

  arrived(harness, [5]);
  await keep(harness);

  assert.equal(bases(harness).length, 2);
});

test('a log that does not arrive is reported with the reason until arrival', async () => {
  await using harness = await keeping();
  arrived(harness, [2]);
  const full = 'The disk does not have enough free space.';
  harness.engine.controls.program('ls', async (run) => {
    await run.write(`${piece(3)}\n`);
    return 0;
  });
  const psql = archived(harness, piece(3));
  Object.defineProperty(harness.core, 'diskGuard', { value: () => full, configurable: true });

  await keep(harness);

  assert.ok(psql.asked > 0);
  assert.match(
    pointInTime(harness).problem ?? '',
    /has not been archived since 20.*fills the disk of the database\. .*enough free space/,
  );
  assert.match(backupWarnings(harness.core).join('\n'), /shop\/production\/main.*enough free space/);
  Object.defineProperty(harness.core, 'diskGuard', { value: () => null, configurable: true });
  harness.engine.controls.program('ls', async () => 0);
  await keep(harness);
  assert.equal(pointInTime(harness).problem, null);
  assert.deepEqual(backupWarnings(harness.core), []);
});

/**
 * Simulates a server that reports a WAL segment as archived.
 * @param current names of the segments that the server writes, one for each query
 */
function archived(harness: TaskHarness, name: string, current: string[] = []): { asked: number } {
  const counts = { asked: 0 };
  harness.engine.controls.program('psql', async (run) => {
    const said = Buffer.concat(await Array.fromAsync(run.stdin)).toString();
    if (said.includes('pg_walfile_name')) await run.write(`${current.shift() ?? piece(2)}\n`);
    if (!said.includes('pg_stat_archiver')) return 0;
    counts.asked += 1;
    await run.write(`${name}\t${harness.clock}\n`);
    return 0;
  });
  return counts;
}

/**
 * Starts an object store that accepts connections but never responds, and an environment that stores the log of `main`
 * there.
 */
async function silentStore(): Promise<AsyncDisposable & { world: TaskHarness; asked: Promise<unknown> }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.add(socket);
  });
  const sockets = new Set<Socket>();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const harness = await made();
  const { core, ctx } = harness;
  const keys = { access_key: 'access-key', secret_key: 'secret-key' };
  const endpoint = `http://127.0.0.1:${port}`;
  const link = { name: 'slow', provider: 'generic', region: 'eu', project: 'shop', endpoint, ...keys };
  await linkObjectStore(core, ctx, ObjectStoreLink.parse(link), false);
  const put = { cron: '0 3 1 1 *', point_in_time: true };
  await putBackupSchedule(core, ctx, database(harness), BackupSchedulePut.parse(put));
  const destination = JSON.stringify({ kind: 'object_store', object_store: 'slow', bucket: 'dumps' });
  core.store.tx((tx) => tx.run('UPDATE backup_schedules SET destination = ?', destination));
  await harness.reconcile();
  return {
    world: harness,
    asked: once(server, 'connection'),
    async [Symbol.asyncDispose]() {
      await harness[Symbol.asyncDispose]();
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Makes every database report that one segment waits. */
function oneWaits(harness: TaskHarness, onTaken: () => void = () => undefined): void {
  archived(harness, piece(1));
  const { controls } = harness.engine;
  controls.program('ls', async ({ write }) => {
    await write(`${piece(1)}\n`);
    return 0;
  });
  controls.program('cat', async ({ write }) => {
    await write('log');
    return 0;
  });
  controls.program('rm', async () => {
    onTaken();
    return 0;
  });
}

test('an unresponsive object store does not delay logs of other projects', async () => {
  await using slow = await silentStore();
  const { world: harness, asked: connected } = slow;
  const { core, ctx } = harness;
  createProject(core, ctx, { slug: 'other' });
  await harness.ended(
    await createDatabase(core, ctx, DatabaseCreate.parse({ project: 'other', name: 'db', engine: 'postgres' })),
  );
  await harness.reconcile();
  const other = databaseByReference(core.store, 'other/production/db') ?? assert.fail('there is no database');
  await putBackupSchedule(core, ctx, other, BackupSchedulePut.parse({ cron: '0 3 1 1 *', point_in_time: true }));
  await harness.reconcile();
  const taken = Promise.withResolvers<void>();
  oneWaits(harness, () => taken.resolve());
  const stop = new AbortController();

  const pass = keepLogs(core, ctx.log, stop.signal);
  await Promise.all([connected, taken.promise]);

  assert.ok(lastSegment(core.store, other));
  stop.abort(new Error('the daemon stops'));
  await assert.rejects(pass, /the daemon stops/);
});

test('a log that is not stored in time is reported as too slow', async () => {
  await using slow = await silentStore();
  const { core, ctx } = slow.world;
  oneWaits(slow.world);

  await keepLogs(core, ctx.log, new AbortController().signal, 1);

  assert.match(logTroubleOf(core.store, database(slow.world).id)?.why ?? '', /too slow/);
});

/** Makes segments and other files of the log wait at the server. */
function wait(harness: TaskHarness, files: readonly string[]): void {
  harness.engine.controls.program('ls', async ({ write }) => {
    await write(files.map((name) => `${name}\n`).join(''));
    return 0;
  });
  harness.engine.controls.program('cat', async ({ write }) => {
    await write('log');
    return 0;
  });
}

test('a base backup is usable after the log of its copy has arrived', async () => {
  await using harness = await made();
  const input = BackupSchedulePut.parse({ cron: '0 3 1 1 *', point_in_time: true });
  await putBackupSchedule(harness.core, harness.ctx, database(harness), input);
  await harness.reconcile();
  const label = `${piece(3)}.00000028.backup`;
  archived(harness, piece(2), [piece(3), piece(5)]);
  wait(harness, [piece(2)]);
  await keep(harness);

  wait(harness, [piece(3)]);
  archived(harness, piece(3));
  await keep(harness);
  assert.equal(bases(harness).length, 0);
  assert.match(pointInTime(harness).problem ?? '', /Wait for the first one/);
  assert.equal(currentBases(harness.core.store, database(harness)).length, 1, 'no further one was taken');

  wait(harness, [label, piece(4)]);
  archived(harness, label);
  await keep(harness);
  assert.equal(bases(harness).length, 1);
  assert.equal(pointInTime(harness).problem, null);
});

test('a base backup is repeated if its log does not arrive within a day', async () => {
  await using harness = await keeping();
  archived(harness, piece(2), [piece(3), piece(5)]);
  harness.clock += 8 * 86_400_000;
  await keep(harness);
  const taken = () => currentBases(harness.core.store, database(harness)).length;
  assert.equal(taken(), 2);

  await keep(harness);
  assert.equal(taken(), 2);
  harness.clock += 86_400_000 + MINUTE;
  await keep(harness);

  assert.equal(taken(), 3);
});

test('a server without log archiving gets no base backup', async () => {
  await using harness = await made();
  const input = BackupSchedulePut.parse({ cron: '0 3 1 1 *', point_in_time: true });
  await putBackupSchedule(harness.core, harness.ctx, database(harness), input);
  harness.engine.controls.program('ls', async () => 0);
  harness.engine.controls.program('psql', async (run) => {
    const said = Buffer.concat(await Array.fromAsync(run.stdin)).toString();
    if (said.includes('pg_stat_archiver')) await run.write('\t0\toff\n');
    return 0;
  });

  await keep(harness);

  assert.equal(lastEndedBackup(harness.core.store, database(harness).id, 'base'), undefined);
});

test('a base backup without a complete log is unusable and replaced', async () => {
  await using harness = await keeping();
  archived(harness, piece(6), [piece(3), piece(5), piece(7), piece(7)]);
  harness.clock += 8 * 86_400_000;
  await keep(harness);
  assert.equal(currentBases(harness.core.store, database(harness)).length, 2);

  wait(harness, [piece(2), piece(3), piece(5), piece(6)]);
  await keep(harness);

  const [newest, useless] = currentBases(harness.core.store, database(harness));
  assert.equal(newest?.from, piece(7));
  assert.equal(useless?.from, piece(3));
  assert.deepEqual(
    bases(harness).map(({ from }) => from),
    [piece(7), piece(2)],
  );
});

test('a failed base backup is a problem and a warning until a success', async () => {
  await using harness = await made();
  const input = BackupSchedulePut.parse({ cron: '0 3 1 1 *', point_in_time: true });
  await putBackupSchedule(harness.core, harness.ctx, database(harness), input);
  await harness.reconcile();
  harness.engine.controls.program('ls', async () => 0);
  harness.engine.controls.program('pg_basebackup', async ({ complain }) => {
    complain('pg_basebackup: error: the disk is gone\n');
    return 1;
  });

  await keep(harness);

  assert.match(pointInTime(harness).problem ?? '', /last base backup .* failed\. .*the disk is gone/);
  assert.match(backupWarnings(harness.core).join('\n'), /shop\/production\/main.*last base backup/);
  harness.engine.controls.program('pg_basebackup', async ({ write }) => {
    await write('{}');
    return 0;
  });
  harness.clock += 16 * MINUTE;
  await keep(harness);
  assert.equal(pointInTime(harness).problem, null);
  assert.deepEqual(backupWarnings(harness.core), []);
});

test('a damaged log segment is skipped, and a new base backup is taken', async () => {
  await using harness = await keeping();
  arrived(harness, [2]);
  const { controls } = harness.engine;
  const removed: string[] = [];
  archived(harness, piece(4));
  wait(harness, [piece(3), piece(4)]);
  controls.program('stat', async ({ command, write }) => {
    await write(command.at(-1)?.endsWith(piece(3)) ? '4096\n' : '16777216\n');
    return 0;
  });
  controls.program('rm', async ({ command }) => {
    removed.push(command.at(-1)?.slice(-24) ?? '');
    return 0;
  });

  await keep(harness);

  const names = segmentsOf(harness.core.store, database(harness).id).map(({ name }) => name.slice(-24));
  assert.deepEqual(names, [piece(2), piece(4)]);
  assert.deepEqual(removed, [piece(3), piece(4)]);
  assert.equal(bases(harness).length, 2);
  assert.match(pointInTime(harness).problem ?? '', /A part of the transaction log is missing/);
});
