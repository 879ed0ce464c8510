/** What is done with a database that there is. */
import {
  canDatabase,
  DATABASE_PORTS,
  type Database,
  type DatabaseExpose,
  type DatabasePatch,
  DavitError,
  type TaskSubject,
} from '@davit/api';
import type { OpContext } from '../context.ts';
import type { OfDatabase } from '../databases/base.ts';
import type { Exposing } from '../databases/kinds/lifecycle.ts';
import { termOf } from '../release/trash.ts';
import { residentLimits } from '../residents/container.ts';
import { appsOfDatabases } from '../store/attachment.ts';
import { type DatabaseRow, databaseById, databaseReference, setDatabase } from '../store/managed-database.ts';
import type { Tx } from '../store/store.ts';
import type { TaskKindName } from '../tasks/kind.ts';
import { demandNoTask } from '../tasks/no-task.ts';
import type { TaskAsk } from '../tasks/tasks.ts';
import { demandConfirm } from './confirm.ts';
import type { Core } from './core.ts';
import { databaseStatus, presentDatabase } from './database.ts';
import { giveLimits } from './give-limits.ts';
import { demandFreePort, demandSilentPort, firstFreePort } from './host-port.ts';
import { demandCores } from './save-settings.ts';

/** Limits are given to what runs at once. @throws DavitError invalid_input, not_found */
export async function patchDatabase(
  core: Core,
  ctx: OpContext,
  { id }: DatabaseRow,
  { description, limits }: DatabasePatch,
): Promise<Database> {
  const { before, after } = core.store.tx((tx) => {
    const before = currentDatabase(tx, id);
    const none = { cpu: null, memory_bytes: null };
    const { cpu = before.cpu, memory_bytes = before.memory_bytes } = limits === null ? none : (limits ?? {});
    demandCores(core, { limits: { cpu } });
    const change = { cpu, memory_bytes, ...(description !== undefined && { description }) };
    setDatabase(tx, id, change, { change: 'changed', at: core.now() });
    return { before, after: currentDatabase(tx, id) };
  });
  const isChanged = before.cpu !== after.cpu || before.memory_bytes !== after.memory_bytes;
  if (isChanged && after.container_id !== null) {
    const about = { kind: 'database', name: databaseReference(after), limits: residentLimits(after) } as const;
    await giveLimits(core, ctx, { ...about, container: after.container_id, otherwise: 'with the next restart' });
  }
  return presentDatabase(core, ctx, after);
}

/** @returns the task's number @throws DavitError conflict */
export function startDatabase(core: Core, ctx: OpContext, row: DatabaseRow): number {
  return begin(core, ctx, row, 'database.start', (now) => {
    if (!canDatabase.start(databaseStatus(now))) throw refused(now, 'started');
    return {};
  });
}

/** @returns the task's number @throws DavitError conflict */
export function stopDatabase(core: Core, ctx: OpContext, row: DatabaseRow): number {
  return begin(core, ctx, row, 'database.stop', (now) => {
    if (!canDatabase.stop(databaseStatus(now))) throw refused(now, 'stopped');
    return {};
  });
}

/** @returns the task's number @throws DavitError conflict */
export function restartDatabase(core: Core, ctx: OpContext, row: DatabaseRow): number {
  return begin(core, ctx, row, 'database.restart', (now) => {
    if (!canDatabase.restart(databaseStatus(now))) throw refused(now, 'restarted');
    return {};
  });
}

/** @returns the task's number @throws DavitError conflict for a port that is taken, and when none is left */
export async function exposeDatabase(
  core: Core,
  ctx: OpContext,
  row: DatabaseRow,
  { port }: DatabaseExpose = {},
): Promise<number> {
  if (port !== undefined && port !== row.exposed_port) await demandSilentPort(port);
  const chosen = port ?? (await firstFreePort(core, DATABASE_PORTS, 'port'));
  return begin(core, ctx, row, 'database.expose', (now, tx) => {
    if (now.exposed_port !== null)
      throw new DavitError(
        'conflict',
        `${databaseReference(now)} is open on port ${now.exposed_port}: close it first.`,
      );
    demandFreePort(core, tx, ctx, chosen);
    return changePort(tx, now, chosen);
  });
}

/** @returns the task's number @throws DavitError conflict */
export function unexposeDatabase(core: Core, ctx: OpContext, row: DatabaseRow): number {
  return begin(core, ctx, row, 'database.unexpose', (now, tx) => {
    if (now.exposed_port === null)
      throw new DavitError(
        'conflict',
        `${databaseReference(now)} is not open to the world: there is nothing to close.`,
      );
    return changePort(tx, now, null);
  });
}

/**
 * Moves one to the trash: its name and its port are free at once, and its container goes soon.
 * @throws DavitError invalid_input when it is not called by its name; conflict while apps are attached or a task is open
 */
export function deleteDatabase(core: Core, ctx: OpContext, { id }: DatabaseRow, confirm: string): Database {
  const row = core.store.tx((tx) => {
    const now = currentDatabase(tx, id);
    demandConfirm(confirm, now.name, 'database');
    demandNoTask(tx, subjectOf(now), now.name);
    const apps = appsOfDatabases(tx, [id]).map(({ app }) => app);
    if (apps.length > 0) {
      const message = `${now.name} is attached to ${apps.join(', ')}: detach it there, then delete it.`;
      throw new DavitError('conflict', message);
    }
    const term = termOf(core, tx, core.settings().databases.trash_days);
    setDatabase(tx, id, { ...term, exposed_port: null }, { change: 'deleted', at: term.deleted_at });
    return databaseById(tx, id) ?? now;
  });
  core.nudgeDatabases();
  core.nudgeRoutes();
  return presentDatabase(core, ctx, row);
}

/** As it is now, for use inside a transaction. @throws DavitError not_found when it has gone in between */
export function currentDatabase(tx: Tx, id: number): DatabaseRow {
  const row = databaseById(tx, id);
  if (row === undefined || row.deleted_at !== null)
    throw new DavitError('not_found', 'The database is gone: list the databases.');
  return row;
}

/**
 * What they hold is not what somebody has in mind who deletes a project or an environment: each goes by its own name.
 * @param of what is to be deleted
 * @throws DavitError conflict naming them
 */
export function demandNoDatabases(rows: readonly DatabaseRow[], of: string): void {
  if (rows.length === 0) return;
  const names = rows.map(databaseReference).join(', ');
  throw new DavitError('conflict', `${of} has databases (${names}): delete them first; their data stays in the trash.`);
}

/**
 * Puts a task on a database on record and begins it.
 * @param input what the task is asked with besides; called in the transaction of its record
 * @returns the task's number
 * @throws DavitError conflict while another one is open
 */
export function begin(
  core: Core,
  { actor }: OpContext,
  { id }: DatabaseRow,
  kind: TaskKindName,
  input: (now: DatabaseRow, tx: Tx) => object,
): number {
  return core.tasks.start((tx): TaskAsk<OfDatabase> => {
    const now = currentDatabase(tx, id);
    // Before the rest: what is under way is why it is not as the caller thinks.
    const subject = subjectOf(now);
    demandNoTask(tx, subject, now.name);
    const asked = { database: id, ...input(now, tx) };
    return { kind, subject, projectId: now.project_id, input: asked, by: actor.username, via: actor.via };
  });
}

function subjectOf(row: DatabaseRow): TaskSubject {
  return { kind: 'database', name: databaseReference(row) };
}

function changePort(tx: Tx, now: DatabaseRow, port: number | null): Omit<Exposing, 'database'> {
  setDatabase(tx, now.id, { exposed_port: port });
  return { port, before: now.exposed_port };
}

export function refused(row: DatabaseRow, what: string): DavitError {
  return new DavitError('conflict', `${databaseReference(row)} is ${databaseStatus(row)}: it cannot be ${what} now.`);
}
