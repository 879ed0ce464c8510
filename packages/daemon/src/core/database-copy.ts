/** What is asked of a database and makes another one of it, or puts another one in its place. */
import { type DatabaseClone, type DatabaseUpgrade, DavitError, type PointInTimeRestore, timestamp } from '@davit/api';
import { hiddenName, likeOf, recordTwin } from '../backups/databases.ts';
import { brokenAt, usableBases } from '../backups/wal/bases.ts';
import type { OpContext } from '../context.ts';
import { databaseOffers, imageFor } from '../databases/offers.ts';
import { databaseVolumeName } from '../engine/names.ts';
import { backupScheduleOf } from '../store/backup-schedule.ts';
import { type DatabaseRow, databaseReference, setDatabase } from '../store/managed-database.ts';
import { demandConfirm } from './confirm.ts';
import type { Core } from './core.ts';
import { about, demandFree, demandRunning, ofDatabase, startNew } from './database-ask.ts';
import { currentDatabase } from './database-change.ts';
import { databasePlace } from './database-place.ts';
import { pointInTimeOf } from './point-in-time.ts';
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
    demandFree(tx, row);
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
