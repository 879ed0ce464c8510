/** Functions of the HTTP API that change, start, stop, restart, expose or delete a database. */
import {
  canDatabase,
  DATABASE_PORTS,
  type Database,
  type DatabaseExpose,
  type DatabasePatch,
  DavitError,
  type TaskSubject,
} from '@davit/api';
import { databaseHost } from '../../app-spec/names.ts';
import type { OpContext } from '../../auth/context.ts';
import type { Reader, Tx } from '../../db/store.ts';
import { type DatabaseRow, databaseById, databaseReference, setDatabase } from '../../db/tables/managed-database.ts';
import { demandConfirm } from '../../input/confirm.ts';
import { giveLimits } from '../../managed-services/give-limits.ts';
import { withinQuota } from '../../quotas/quota.ts';
import { termOf } from '../../trash/term.ts';
import { demandCores } from '../apps/save-settings.ts';
import { demandNoTask } from '../tasks/no-task.ts';
import type { TaskKindName, TaskRequest } from '../tasks/tasks.ts';
import { demandFreePort, demandSilentPort, firstFreePort } from '../tcp-ports/host-port.ts';
import type { OfDatabase } from './base.ts';
import { demandConfig } from './create.ts';
import { databaseStatus, presentDatabase } from './database.ts';
import type { DatabasesDeps } from './deps.ts';
import type { Exposing } from './kinds/lifecycle.ts';
import { DATABASE } from './managed-service.ts';
import { RULES_DUE, renewRulesWhereFree } from './rules.ts';
import { appsUsing } from './used-by.ts';

/**
 * Changes the description, limits and permissions of a database. The changes are also applied to the running database
 * server.
 * @throws DavitError invalid_input, not_found
 */
export async function patchDatabase(
  core: DatabasesDeps,
  ctx: OpContext,
  row: DatabaseRow,
  { description, limits, allow_config }: DatabasePatch,
): Promise<Database> {
  const { id } = row;
  core.store.tx((tx) => {
    const before = currentDatabase(tx, id);
    const none = { cpu: null, memory_bytes: null };
    const { cpu = before.cpu, memory_bytes = before.memory_bytes } = limits === null ? none : (limits ?? {});
    demandCores(core, { limits: { cpu } });
    demandConfig({ engine: before.engine, ...(allow_config !== undefined && { allow_config }) });
    // Only save the setting in SQLite here. `applyRules` or a background job changes the database server later.
    const rights = allow_config !== undefined && {
      allow_config: allow_config ? (1 as const) : (0 as const),
      rules: RULES_DUE,
    };
    const change = { cpu, memory_bytes, ...(description !== undefined && { description }), ...rights };
    withinQuota(tx, before.project_id, () => setDatabase(tx, id, change, { change: 'changed', at: core.now() }));
  });
  // `applyRules` and `giveLimits` read the database row again, because another request may have changed the row.
  if (allow_config !== undefined) await applyRules(core, row);
  if (limits !== undefined) await giveLimits(core, ctx, DATABASE, row, 'at its next restart');
  return presentDatabase(core, ctx, currentDatabase(core.store, id));
}

/**
 * Applies the passwords and permissions in a database row to the database server. While the database has an unfinished
 * task, nothing is applied. A background job does this after the task.
 */
async function applyRules(core: DatabasesDeps, row: DatabaseRow): Promise<void> {
  try {
    await renewRulesWhereFree(core, row.id, AbortSignal.timeout(RULES_MS));
  } catch (error) {
    core.log.warn(
      { database: databaseReference(row), error },
      'the permissions of a database login could not be applied; Davit tries again',
    );
  }
  core.nudgeDatabases();
}

/**
 * Time limit in milliseconds for setting permissions in the database server. The limit includes the wait for earlier
 * changes of the same database.
 */
const RULES_MS = 10_000;

/** Starts a task that starts the database. @returns id of the task @throws DavitError conflict */
export function startDatabase(core: DatabasesDeps, ctx: OpContext, row: DatabaseRow): number {
  return startDatabaseTask(core, ctx, row, 'database.start', (now) => {
    if (!canDatabase.start(databaseStatus(now)))
      throw stateRefusal(
        now,
        'start',
        'You can start a database only if its status is “stopped”, “down” or “degraded”.',
      );
    return {};
  });
}

/** Starts a task that stops the database. @returns id of the task @throws DavitError conflict */
export function stopDatabase(core: DatabasesDeps, ctx: OpContext, row: DatabaseRow): number {
  return startDatabaseTask(core, ctx, row, 'database.stop', (now) => {
    if (!canDatabase.stop(databaseStatus(now)))
      throw stateRefusal(now, 'stop', 'You can stop a database only if its status is “running”, “down” or “degraded”.');
    return {};
  });
}

/** Starts a task that restarts the database. @returns id of the task @throws DavitError conflict */
export function restartDatabase(core: DatabasesDeps, ctx: OpContext, row: DatabaseRow): number {
  return startDatabaseTask(core, ctx, row, 'database.restart', (now) => {
    if (!canDatabase.restart(databaseStatus(now)))
      throw stateRefusal(
        now,
        'restart',
        'You can restart a database only if its status is “running”, “down” or “degraded”.',
      );
    return {};
  });
}

/**
 * Starts a task that publishes a database on a port of the server. Returns the task id.
 * @throws DavitError conflict if the port is taken or no port is free
 */
export async function exposeDatabase(
  core: DatabasesDeps,
  ctx: OpContext,
  row: DatabaseRow,
  { port }: DatabaseExpose = {},
): Promise<number> {
  if (port !== undefined && port !== row.exposed_port) await demandSilentPort(ctx, port);
  const chosen = port ?? (await firstFreePort(core, DATABASE_PORTS, 'port'));
  return startDatabaseTask(core, ctx, row, 'database.expose', (now, tx) => {
    if (now.exposed_port !== null)
      throw new DavitError(
        'conflict',
        `${databaseReference(now)} is already published on port ${now.exposed_port} of the server. Close this port first.`,
      );
    demandFreePort(core, tx, ctx, chosen);
    return changePort(tx, now, chosen);
  });
}

/**
 * Starts a task that closes the published port of a database.
 * @returns id of the task
 * @throws DavitError conflict
 */
export function unexposeDatabase(core: DatabasesDeps, ctx: OpContext, row: DatabaseRow): number {
  return startDatabaseTask(core, ctx, row, 'database.unexpose', (now, tx) => {
    if (now.exposed_port === null)
      throw new DavitError(
        'conflict',
        `${databaseReference(now)} is not published on a port of the server, so there is no port to close.`,
      );
    return changePort(tx, now, null);
  });
}

/**
 * Moves a database to the trash. Other databases can then use its name and port.
 * @param redeploys whether the caller deploys the apps of the environment afterwards. Their live releases may then still
 * use the database.
 * @throws DavitError invalid_input for a wrong `confirm`; conflict for apps that use it or an unfinished task
 */
export function deleteDatabase(
  core: DatabasesDeps,
  ctx: OpContext,
  { id }: DatabaseRow,
  confirm: string,
  { redeploys = false } = {},
): Database {
  const row = core.store.tx((tx) => {
    const now = currentDatabase(tx, id);
    demandConfirm(confirm, now.name, 'database');
    demandNoTask(tx, subjectOf(now), now.name);
    demandUnused(core, tx, now, !redeploys);
    const term = termOf(core, tx, core.settings().databases.trash_days);
    setDatabase(tx, id, { ...term, exposed_port: null, reason: null }, { change: 'deleted', at: term.deleted_at });
    return databaseById(tx, id) ?? now;
  });
  core.nudgeDatabases();
  core.nudgeRoutes();
  return presentDatabase(core, ctx, row);
}

/**
 * @param live whether the live releases of the apps count too
 * @throws DavitError conflict with the names of the apps that use the database
 */
function demandUnused(core: DatabasesDeps, tx: Reader, row: DatabaseRow, live: boolean): void {
  const apps = appsUsing(core, tx, [row], { live }).get(row.id) ?? [];
  if (apps.length === 0) return;
  throw new DavitError(
    'conflict',
    `The database ${row.name} is used by ${apps.join(', ')}. Detach it from these apps. Remove its host name ${databaseHost(row)} from their variables, files and commands. Then deploy the apps.`,
  );
}

/**
 * Reads the database row again inside a transaction.
 * @throws DavitError not_found if another request deleted the database
 */
export function currentDatabase(tx: Reader, id: number): DatabaseRow {
  const row = databaseById(tx, id);
  if (row === undefined || row.deleted_at !== null)
    throw new DavitError('not_found', 'The database was deleted during the request. List the existing databases.');
  return row;
}

/**
 * Checks that a project or environment has no databases before it is deleted, so that no data is lost by accident.
 * @param of name for the error message
 * @throws DavitError conflict
 */
export function demandNoDatabases(rows: readonly DatabaseRow[], of: string): void {
  if (rows.length === 0) return;
  const names = rows.map(databaseReference).join(', ');
  throw new DavitError(
    'conflict',
    `${of} has databases: ${names}. Delete these databases first; their data moves to the trash.`,
  );
}

/**
 * Starts a task for a database. Returns the task id.
 * @param input called in the transaction that inserts the task
 * @throws DavitError conflict if the database has another unfinished task
 */
export function startDatabaseTask(
  core: DatabasesDeps,
  { actor }: OpContext,
  { id }: DatabaseRow,
  kind: TaskKindName,
  input: (now: DatabaseRow, tx: Tx) => object,
): number {
  return core.tasks.start((tx): TaskRequest<OfDatabase> => {
    const now = currentDatabase(tx, id);
    /*
     * First check whether another task of the database is running. An error message about this task is more helpful
     * than a message about the status of the database.
     */
    const subject = subjectOf(now);
    demandNoTask(tx, subject, now.name);
    const taskInput = { database: id, ...input(now, tx) };
    return { kind, subject, projectId: now.project_id, input: taskInput, by: actor.username, via: actor.via };
  });
}

function subjectOf(row: DatabaseRow): TaskSubject {
  return { kind: 'database', name: databaseReference(row) };
}

function changePort(tx: Tx, now: DatabaseRow, port: number | null): Omit<Exposing, 'database'> {
  setDatabase(tx, now.id, { exposed_port: port });
  return { port, before: now.exposed_port };
}

/**
 * Returns the error for an action that is not possible with the current status of a database.
 * @param what verb, for example `start`
 * @param advice sentence about a solution
 */
export function stateRefusal(row: DatabaseRow, what: string, advice: string): DavitError {
  return new DavitError(
    'conflict',
    `Cannot ${what} ${databaseReference(row)}: the database is ${databaseStatus(row)}. ${advice}`,
  );
}
