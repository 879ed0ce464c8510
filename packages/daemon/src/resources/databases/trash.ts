/** Lists and restores the databases in the trash, and removes databases permanently. */

import { type Database, DavitError, invalidField, type RestoreDatabaseInput, Slug } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { sees } from '../../authorization/lookup.ts';
import type { Reader, Tx } from '../../db/store.ts';
import { backupScheduleOf, usesStoreOfOthers } from '../../db/tables/backup-schedule.ts';
import { segmentsOf } from '../../db/tables/backup-segment.ts';
import { environmentBySlugs } from '../../db/tables/environment.ts';
import {
  type DatabaseRow,
  databaseById,
  databaseReference,
  setDatabase,
  trashedDatabaseRows,
} from '../../db/tables/managed-database.ts';
import { demandConfirm } from '../../input/confirm.ts';
import { numberKey, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import { byPathNumber } from '../../input/path-number.ts';
import { destroy } from '../../managed-services/keep.ts';
import { withinQuota } from '../../quotas/quota.ts';
import { inTerm, removeForGood } from '../../trash/trash.ts';
import type { TaskRequest } from '../tasks/tasks.ts';
import { presentDatabases } from './database.ts';
import type { DatabasesDeps } from './deps.ts';
import { hasRelative, renewLogin } from './former.ts';
import type { Restoring } from './kinds/lifecycle.ts';
import { DATABASE } from './managed-service.ts';
import { type DatabaseIdentity, databaseTarget, demandFreeTarget } from './placement.ts';

/** Lists the databases in the trash. The newest deletion comes first. */
export function listTrashedDatabases(core: DatabasesDeps, ctx: OpContext, query: PageQuery): Page<Database> {
  const keyOf = ({ deleted_at, id }: DatabaseRow) => numberKey(1e15 - (deleted_at ?? 0)) + numberKey(1e15 - id);
  return presentDatabases(core, ctx, pageOf(trashedDatabaseRows(core.store, ctx.actor.projects), keyOf, query));
}

/**
 * Starts a task that restores a database from the trash and starts its server.
 * @returns id of the task
 * @throws DavitError not_found, invalid_input, conflict
 */
export function restoreDatabase(
  core: DatabasesDeps,
  ctx: OpContext,
  number: string | undefined,
  request: RestoreDatabaseInput = {},
): number {
  return core.tasks.start((tx): TaskRequest<Restoring> => {
    const row = inTerm(core, tx, () => trashed(tx, ctx, number));
    setAuditTarget(core, row);
    const target = homeOf(tx, ctx, row, request);
    demandFreeTarget(tx, target);
    demandMovable(tx, row, target);
    /*
     * If the database moves to another project, create a new login, because users of the old project know the old
     * password.
     */
    const isMoved = target.project_id !== row.project_id;
    /*
     * If another database was copied from the same original database, both may have the same password. So set a new
     * password.
     */
    if (isMoved || hasRelative(core, tx, row)) renewLogin(core, tx, row.id);
    const back = {
      ...target,
      deleted_at: null,
      expires_at: null,
      address: null,
      wanted: 'running',
      reason: null,
    } as const;
    if (isMoved) setDatabase(tx, row.id, { other_logins: null });
    withinQuota(tx, target.project_id, () =>
      setDatabase(tx, row.id, { ...back, observed: 'unknown' }, { change: 'restored', at: core.now() }),
    );
    setAuditTarget(core, target);
    const subject = { kind: 'database', name: databaseReference(target) } as const;
    const { username: by, via } = ctx.actor;
    const input = { database: row.id, trashed: asInTrash(row) };
    return { kind: 'database.restore', subject, projectId: target.project_id, input, by, via };
  });
}

/**
 * Checks that the backups of a database allow a move to another project. Archived WAL (write-ahead log) and backups in
 * an object store cannot move to another project.
 * @throws DavitError conflict
 */
function demandMovable(db: Reader, { id, name, project }: DatabaseRow, target: DatabaseIdentity): void {
  if (target.project === project) return;
  const isTied = backupScheduleOf(db, id)?.point_in_time === 1 || segmentsOf(db, id).length > 0;
  if (!isTied && !usesStoreOfOthers(db, id, target.project_id)) return;
  const message = `${name} cannot move to another project, because its backups use point-in-time recovery or an object store of ${project}. Restore the database into ${project}, then clone it into the other project.`;
  throw new DavitError('conflict', message);
}

/**
 * Returns the project, environment and name for a restored database. By default, a restore uses the previous project,
 * environment and name.
 * @throws DavitError not_found, invalid_input, conflict
 */
function homeOf(
  tx: Tx,
  ctx: OpContext,
  row: DatabaseRow,
  { name: requestedName, into }: RestoreDatabaseInput,
): DatabaseIdentity {
  if (into !== undefined) return databaseTarget(tx, ctx, into);
  const { project, environment } = row;
  const name = requestedName ?? row.name;
  /*
   * After a restore or an upgrade, a database in the trash can have a generated name. A generated name is invalid for a
   * normal database.
   */
  if (!Slug.safeParse(name).success)
    throw invalidField(
      'name',
      'required',
      `A new name is required, because the current name ${row.name} is not a valid database name.`,
    );
  const found = environmentBySlugs(tx, project, environment);
  if (found === undefined || !sees(ctx.actor, found.project_id))
    throw new DavitError(
      'conflict',
      `The environment ${project}/${environment} of the database ${row.name} does not exist any more. Create it, or set “into” to another project/environment/name.`,
    );
  return databaseTarget(tx, ctx, `${project}/${environment}/${name}`);
}

/**
 * Returns the column values of the database row that a restore from the trash changes. If the database server does not
 * start, these values are written back.
 */
function asInTrash(row: DatabaseRow): Restoring['trashed'] {
  const { name, project, environment, project_id: projectId, environment_id: environmentId, wanted, reason } = row;
  const term = { deletedAt: row.deleted_at ?? 0, expiresAt: row.expires_at ?? 0 };
  return { name, project, environment, projectId, environmentId, wanted, reason, ...term };
}

/**
 * Permanently removes a database in the trash and its data.
 * @throws DavitError not_found, invalid_input; conflict while Docker rejects the removal; EngineUnavailable
 */
export async function destroyDatabase(
  core: DatabasesDeps,
  ctx: OpContext,
  number: string | undefined,
  confirm: string,
): Promise<void> {
  await removeForGood(core, {
    find(tx) {
      const found = trashed(tx, ctx, number);
      setAuditTarget(core, found);
      demandConfirm(confirm, found.name, 'database');
      return found;
    },
    setEnd: (tx, { id }, expires_at) => setDatabase(tx, id, { expires_at }),
    destroy: (row) => destroy(DATABASE, core, row),
  });
}

function trashed(db: Reader, { actor }: OpContext, number: string | undefined): DatabaseRow {
  const row = byPathNumber(number, (id) => databaseById(db, id));
  if (row === undefined || row.deleted_at === null || !sees(actor, row.project_id))
    throw new DavitError(
      'not_found',
      'The trash has no database with this ID, or you do not have access to it. List the databases in the trash.',
    );
  return row;
}

/** Adds the database and its project to the audit log entry, because the path of the request contains only a number. */
function setAuditTarget({ store }: DatabasesDeps, row: DatabaseIdentity): void {
  store.trail.about({ target: databaseReference(row), projectId: row.project_id });
}
