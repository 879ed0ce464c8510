/** Functions of the HTTP API for clones, point-in-time restores and upgrades of databases. */
import {
  type DatabaseClone,
  type DatabaseUpgrade,
  DavitError,
  invalidField,
  type PointInTimeRestore,
  timestamp,
} from '@davit/api';
import { databaseVolumeName } from '../../adapters/engine/names.ts';
import type { OpContext } from '../../auth/context.ts';
import { backupScheduleOf } from '../../db/tables/backup-schedule.ts';
import { type DatabaseRow, databaseReference, setDatabase } from '../../db/tables/managed-database.ts';
import { demandConfirm } from '../../input/confirm.ts';
import { withinQuota } from '../../quotas/quota.ts';
import { currentDatabase } from '../databases/change.ts';
import { databaseOffers, imageFor } from '../databases/offers.ts';
import { databaseTarget } from '../databases/placement.ts';
import { hiddenName, likeOf, recordTwin } from './databases.ts';
import type { BackupsDeps } from './deps.ts';
import { pointInTimeOf } from './point-in-time.ts';
import { about, demandFree, demandRunning, startNew, taskOfDatabase } from './preconditions.ts';
import { brokenAt, usableBases } from './wal/bases.ts';

/**
 * Starts a task that clones a database.
 * @returns id of the task
 * @throws DavitError conflict if the source database does not run; invalid_input, not_found
 */
export function cloneDatabase(core: BackupsDeps, ctx: OpContext, source: DatabaseRow, { into }: DatabaseClone): number {
  demandRunning(source);
  const like = { ...likeOf(source, { name: '' }), ...databaseTarget(core.store, ctx, into) };
  return startNew(core, ctx, like, (database) => ({ kind: 'database.clone', input: { database, source: source.id } }));
}

/**
 * Starts a task that restores the data of a point in time into a new PostgreSQL database. Returns the task id.
 * @throws DavitError conflict if Davit cannot restore this point in time; invalid_input, not_found
 */
export function restoreDatabaseTo(
  core: BackupsDeps,
  ctx: OpContext,
  source: DatabaseRow,
  request: PointInTimeRestore,
): number {
  const at = Date.parse(request.at);
  const window = pointInTimeOf(core.store, source, backupScheduleOf(core.store, source.id));
  const base = usableBases(core.store, source).find(({ finished_at }) => (finished_at ?? 0) <= at);
  if (!window?.to || base === undefined || at > Date.parse(window.to)) {
    const advice = window?.to
      ? `Choose a point in time from ${window.from} to ${window.to}.`
      : 'Wait until Davit has made the first base backup (a complete copy of the database).';
    throw new DavitError(
      'conflict',
      `${databaseReference(source)} cannot be restored to this point in time. ${advice}`,
    );
  }
  const broken = brokenAt(core.store, base);
  if (broken !== null && at > broken) {
    const message = `${databaseReference(source)} cannot be restored to this point in time, because a part of its transaction log is missing after ${timestamp(broken)}. Choose an earlier time, or a time after the next base backup.`;
    throw new DavitError('conflict', message);
  }
  const like = { ...likeOf(source, { name: '' }), ...databaseTarget(core.store, ctx, request.into) };
  const input = (database: number) => ({ database, backup: base.id, at });
  return startNew(core, ctx, like, (database) => ({ kind: 'backup.restore-to', input: input(database) }));
}

/**
 * Starts a task that upgrades a database. Returns the task id.
 * @throws DavitError invalid_input if the version is not available or is older than the current version
 */
export async function upgradeDatabase(
  core: BackupsDeps,
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
    const [made, former] = withinQuota(tx, row.project_id, () => {
      const twins = [twin('upgrade', { version, image }), twin('former', {})] as const;
      /*
       * `former` is a temporary database with the old version. It uses the original volume, so its server can read the
       * original data.
       */
      setDatabase(tx, twins[1], { volume: row.volume, image_id: row.image_id, rules: row.rules });
      return twins;
    });
    about(core, databaseReference(row), row.project_id);
    const input = { database: row.id, made, former, volume: databaseVolumeName(core.facts.id, made) };
    return { ...taskOfDatabase(row), kind: 'database.upgrade', input, by, via };
  });
}

async function upgradeImage(core: BackupsDeps, row: DatabaseRow, version: string): Promise<string> {
  const offer = (await databaseOffers(core.engine)).find(({ engine }) => engine === row.engine);
  const offered = offer?.versions.map((one) => one.version) ?? [];
  if (offer === undefined || !offered.includes(version))
    throw invalidField('version', 'invalid_value', `must be one of ${offered.join(', ')}.`);
  if (version.localeCompare(row.version, 'en', { numeric: true }) < 0)
    throw invalidField('version', 'too_small', `must not be older than the current version ${row.version}.`);
  return imageFor(offer, version, JSON.parse(row.extensions) as string[]);
}
