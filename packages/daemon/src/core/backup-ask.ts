/** What is asked of databases and their backups that takes a while: each is a task, on record with all that it will make. */
import {
  type BackupDestination,
  type BackupRestore,
  type BackupTake,
  type DatabaseClone,
  type DatabaseUpgrade,
  DavitError,
  type PointInTimeRestore,
  timestamp,
} from '@davit/api';
import { type DatabaseLike, hiddenName, likeOf, recordNew, recordTrial, recordTwin } from '../backups/databases.ts';
import type { BackupDetails } from '../backups/take.ts';
import { recordBackup } from '../backups/take.ts';
import { brokenAt, usableBases } from '../backups/wal/bases.ts';
import type { OpContext } from '../context.ts';
import { databaseOffers, imageFor } from '../databases/offers.ts';
import { databaseVolumeName } from '../engine/names.ts';
import type { BackupRow } from '../store/backup.ts';
import { backupScheduleOf } from '../store/backup-schedule.ts';
import { type DatabaseRow, databaseById, databaseReference, setDatabase } from '../store/managed-database.ts';
import type { Tx } from '../store/store.ts';
import type { Asker, TaskAsk } from '../tasks/tasks.ts';
import { demandDatabaseName, demandDump } from './backup.ts';
import { demandDestination } from './backup-place.ts';
import { demandConfirm } from './confirm.ts';
import type { Core } from './core.ts';
import { currentDatabase } from './database-change.ts';
import { type DatabasePlace, databasePlace, demandFreePlace } from './database-place.ts';
import { pointInTimeOf } from './point-in-time.ts';

const DISK: BackupDestination = { kind: 'disk' };

/** @returns the task's number. @throws DavitError conflict for one that does not run, or has a task already */
export async function backUpDatabase(
  core: Core,
  ctx: OpContext,
  database: DatabaseRow,
  ask: BackupTake,
): Promise<number> {
  const { username: by, via } = ctx.actor;
  if (ask.destination !== undefined) await demandDestination(core, ctx, ask.destination);
  return core.tasks.start((tx) => {
    const row = currentDatabase(tx, database.id);
    demandRunning(row);
    const schedule = backupScheduleOf(tx, row.id);
    const scheduled = schedule === undefined ? DISK : (JSON.parse(schedule.destination) as BackupDestination);
    const destination = ask.destination ?? scheduled;
    const backup = recordBackup(core, tx, row, { origin: 'manual', destination, by, via, taskId: null });
    about(core, `${databaseReference(row)}/backups/${backup.id}`, row.project_id);
    return { ...ofDatabase(row), kind: 'backup.take', input: { backup: backup.id, origin: 'manual' }, by, via };
  });
}

/** Restores a backup into a database of its own that is removed again. @returns the task's number */
export async function verifyBackup(core: Core, { by, via }: Asker, backup: BackupRow): Promise<number> {
  demandDump(backup);
  const like = await likeBackup(core, backup, hiddenPlace(core, backup));
  return core.tasks.start((tx) => {
    const database = recordTrial(core, tx, like);
    about(core, `backups/${backup.id}`, backup.project_id);
    const subject = { kind: 'backup', name: String(backup.id) } as const;
    const input = { backup: backup.id, database };
    return { kind: 'backup.verify', subject, projectId: backup.project_id, input, by, via };
  });
}

/** Into a new database, or in place. @returns the task's number. @throws DavitError conflict, invalid_input, not_found */
export async function restoreBackup(
  core: Core,
  ctx: OpContext,
  backup: BackupRow,
  { into, confirm }: BackupRestore,
): Promise<number> {
  demandDump(backup);
  if (into === undefined) return restoreInPlace(core, ctx, backup, confirm);
  const place = databasePlace(core.store, ctx, into);
  const like = await likeBackup(core, backup, place);
  return startNew(core, ctx, like, (database) => ({ kind: 'backup.restore', input: { database, backup: backup.id } }));
}

/** @returns the task's number. @throws DavitError conflict for one that does not run, invalid_input, not_found */
export function cloneDatabase(core: Core, ctx: OpContext, source: DatabaseRow, { into }: DatabaseClone): number {
  demandRunning(source);
  const like = { ...likeOf(source, { name: '' }), ...databasePlace(core.store, ctx, into) };
  return startNew(core, ctx, like, (database) => ({ kind: 'database.clone', input: { database, source: source.id } }));
}

/**
 * What a PostgreSQL had at a moment, as a new database. @returns the task's number
 * @throws DavitError conflict for a moment that is not kept; invalid_input, not_found
 */
export function restoreDatabaseTo(core: Core, ctx: OpContext, source: DatabaseRow, ask: PointInTimeRestore): number {
  const at = Date.parse(ask.at);
  const window = pointInTimeOf(core.store, source, backupScheduleOf(core.store, source.id));
  const base = usableBases(core.store, source).find(({ finished_at }) => (finished_at ?? 0) <= at);
  if (!window?.to || base === undefined || at > Date.parse(window.to)) {
    const kept = window?.to ? `Those from ${window.from} to ${window.to} are kept` : 'None is kept yet';
    throw new DavitError('conflict', `That moment is not kept of ${databaseReference(source)}. ${kept}.`);
  }
  const broken = brokenAt(core.store, base);
  if (broken !== null && at > broken) {
    const message = `That moment is not kept of ${databaseReference(source)}: a piece of its log is missing after ${timestamp(broken)}. Ask for a moment until then, or for one after the next base.`;
    throw new DavitError('conflict', message);
  }
  const like = { ...likeOf(source, { name: '' }), ...databasePlace(core.store, ctx, ask.into) };
  const input = (database: number) => ({ database, backup: base.id, at });
  return startNew(core, ctx, like, (database) => ({ kind: 'backup.restore-to', input: input(database) }));
}

function startNew(
  core: Core,
  { actor }: OpContext,
  like: DatabaseLike,
  asked: (database: number) => Pick<TaskAsk, 'kind' | 'input'>,
): number {
  const { username: by, via } = actor;
  return core.tasks.start((tx) => {
    demandFreePlace(tx, like);
    const id = recordNew(core, tx, like);
    about(core, databaseReference(like), like.project_id);
    return { ...ofDatabase(like), ...asked(id), by, via };
  });
}

async function restoreInPlace(core: Core, { actor }: OpContext, backup: BackupRow, confirm: string | undefined) {
  const { username: by, via } = actor;
  demandDatabaseName(backup, confirm);
  return core.tasks.start((tx) => {
    const row = databaseById(tx, backup.database_id);
    if (row === undefined || row.deleted_at !== null)
      throw new DavitError('conflict', `${backup.database} is gone: restore the backup into a new database.`);
    demandWanted(row);
    const made = recordTwin(core, tx, likeOf(row, { name: hiddenName('restore', row.name, core.now()) }), row);
    const asked = { origin: 'safety', destination: DISK, by, via, taskId: null } as const;
    const safety = row.observed === 'ready' ? recordBackup(core, tx, row, asked).id : null;
    about(core, databaseReference(row), row.project_id);
    const input = {
      database: row.id,
      made,
      volume: databaseVolumeName(core.facts.id, made),
      backup: backup.id,
      safety,
    };
    return { ...ofDatabase(row), kind: 'backup.restore-in-place', input, by, via };
  });
}

/** @returns the task's number. @throws DavitError invalid_input for a version there is not, or an older one */
export async function upgradeDatabase(
  core: Core,
  { actor }: OpContext,
  database: DatabaseRow,
  { version, confirm }: DatabaseUpgrade,
): Promise<number> {
  demandConfirm(confirm, database.name, 'database');
  const image = await upgradeImage(core, database, version);
  const { username: by, via } = actor;
  return core.tasks.start((tx) => {
    const row = currentDatabase(tx, database.id);
    demandRunning(row);
    const twin = (what: string, other: { version?: string; image?: string }) =>
      recordTwin(core, tx, likeOf(row, { name: hiddenName(what, row.name, core.now()), ...other }), row);
    const made = twin('upgrade', { version, image });
    const former = twin('former', {});
    // It is only ever another way to the same data.
    setDatabase(tx, former, { volume: row.volume, image_id: row.image_id });
    about(core, databaseReference(row), row.project_id);
    const input = { database: row.id, made, former, volume: databaseVolumeName(core.facts.id, made) };
    return { ...ofDatabase(row), kind: 'database.upgrade', input, by, via };
  });
}

async function upgradeImage(core: Core, row: DatabaseRow, version: string): Promise<string> {
  const offer = (await databaseOffers(core.engine)).find(({ engine }) => engine === row.engine);
  const offered = offer?.versions.map((one) => one.version) ?? [];
  if (offer === undefined || !offered.includes(version))
    throw new DavitError('invalid_input', `version: must be one of ${offered.join(', ')}.`);
  if (version.localeCompare(row.version, 'en', { numeric: true }) < 0)
    throw new DavitError('invalid_input', `version: must not be older than ${row.version}, which the database has.`);
  return imageFor(offer, version, JSON.parse(row.extensions) as string[]);
}

/** Where its database is, or was before it went to the trash; else there is no network to make another one on. */
function hiddenPlace(core: Core, { id, database, database_id }: BackupRow): DatabasePlace {
  const row = databaseById(core.store, database_id);
  if (row === undefined)
    throw new DavitError('conflict', `${database} is gone for good: restore the backup into a new database to try it.`);
  const { project_id, environment_id, project, environment } = row;
  return { project_id, environment_id, project, environment, name: hiddenName('verify', String(id), core.now()) };
}

async function likeBackup(core: Core, backup: BackupRow, place: DatabasePlace): Promise<DatabaseLike> {
  // Written by this program, and by nobody else.
  const details = JSON.parse(backup.details) as BackupDetails;
  const offer = (await databaseOffers(core.engine)).find(({ engine }) => engine === backup.engine);
  if (offer === undefined) throw new DavitError('conflict', `There is no engine ${backup.engine} here any more.`);
  const { version } = backup;
  return { ...place, engine: offer.engine, version, image: imageFor(offer, version, details.extensions), ...details };
}

function demandRunning(row: DatabaseRow): void {
  demandWanted(row);
  if (row.state === 'made' && row.container_id !== null) return;
  throw new DavitError('conflict', `${databaseReference(row)} does not run: wait until it answers, or start it.`);
}

function demandWanted(row: DatabaseRow): void {
  if (row.wanted === 'running') return;
  throw new DavitError('conflict', `${databaseReference(row)} is stopped: start it first.`);
}

function ofDatabase(row: DatabasePlace) {
  return { subject: { kind: 'database', name: databaseReference(row) } as const, projectId: row.project_id };
}

function about({ store }: Core, target: string, projectId: number): void {
  store.trail.about({ target, projectId });
}
