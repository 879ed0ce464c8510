/** Definition of databases as a managed service. */
import type { ResourceChange } from '@davit/api';
import { databaseVolumeName } from '../../adapters/engine/names.ts';
import type { Network } from '../../adapters/engine/network.ts';
import type { Tx } from '../../db/store.ts';
import {
  allDatabases,
  type DatabaseObserved,
  type DatabaseRow,
  databaseById,
  databaseReference,
  extensionsOf,
  forgetDatabase,
  setDatabase,
} from '../../db/tables/managed-database.ts';
import { rowOf } from '../../managed-services/container.ts';
import type { ResidentChange, Seen, Serving } from '../../managed-services/resident.ts';
import type { TaskedResident } from '../../managed-services/steps.ts';
import { answers } from './ask.ts';
import type { OfDatabase } from './base.ts';
import type { DatabasesDeps } from './deps.ts';
import type { Login } from './dialects/dialect.ts';
import { DIALECTS } from './dialects/index.ts';
import { ensureDatabaseImage } from './image.ts';
import { optionsOf } from './options.ts';
import { RULES_BLOCKED, RULES_DUE, renewRulesWhereFree } from './rules.ts';
import { databaseFacts, sqlName } from './secrets.ts';

export const DATABASE: TaskedResident<DatabaseRow, OfDatabase, DatabasesDeps> = {
  noun: 'database',
  subject: 'database',
  label: 'database',
  hasLogs: true,
  all: allDatabases,
  find: (db, id) => databaseById(db, id) ?? null,
  change,
  forget: (tx, { id }) => forgetDatabase(tx, id),
  reference: databaseReference,
  seen: ({ observed }) => (observed === 'unready' ? 'silent' : observed),
  port: ({ exposed_port }) => exposed_port,
  volumeName: databaseVolumeName,
  stop: ({ engine, rules }) => {
    const { stop } = DIALECTS[engine];
    return rules === RULES_BLOCKED ? { ...stop, graceS: HELD_UP_S } : stop;
  },
  listensOn: ({ engine }) => DIALECTS[engine].port,
  ensureImage: (base, { id }, signal) => ensureDatabaseImage(base, id, signal),
  madeOf,
  serving: (base, row, network) => serving(base, row, network, row.rules === RULES_BLOCKED ? [] : undefined),
  problem,
  renewRules: (base, { id }, signal) => renewRulesWhereFree(base, id, signal),
  idOf: ({ database }) => database,
  nudge: ({ nudgeDatabases }) => nudgeDatabases(),
};

/** Returns the row of a database. @throws TaskFailed if the row is gone */
export function databaseRow(base: Pick<DatabasesDeps, 'store'>, id: number): DatabaseRow {
  return rowOf(DATABASE, base, id);
}

const OBSERVED: Record<Seen, DatabaseObserved> = {
  unknown: 'unknown',
  ready: 'ready',
  silent: 'unready',
  down: 'down',
};

function change(
  tx: Tx,
  id: number,
  { seen, port, ...columns }: ResidentChange,
  tell?: { change: ResourceChange; at?: number },
): void {
  const observed = seen !== undefined && { observed: OBSERVED[seen] };
  setDatabase(tx, id, { ...columns, ...observed, ...(port !== undefined && { exposed_port: port }) }, tell);
}

function madeOf(row: DatabaseRow): unknown {
  const { image_id, exposed_port, options, engine } = row;
  const loaded = DIALECTS[engine].loaded?.(extensionsOf(row).map(sqlName)) ?? [];
  // The arguments count, not their short form in the row: a new version of Davit may change the archive command.
  return [image_id, exposed_port, options === null ? null : optionsOf(row), loaded];
}

/**
 * Grace period in seconds for stopping a server that sessions block. The server loses no data: it starts as after a
 * power loss.
 */
const HELD_UP_S = 10;

/**
 * Returns {@link DATABASE} for a server that replaces a server which sessions of apps block.
 * The new server accepts only the logins in `admitted` until a command opens the server for all logins.
 */
export function closedDatabase(admitted: readonly Login[]): typeof DATABASE {
  return {
    ...DATABASE,
    stop: ({ engine }) => ({ ...DIALECTS[engine].stop, graceS: HELD_UP_S }),
    serving: (base, row, network) => serving(base, row, network, admitted),
  };
}

/**
 * Variant of {@link DATABASE} for a database that a task restores from the trash.
 * Its server may still have a different password than the record. The server accepts no login until the rules are
 * applied.
 */
export const RETURNING_DATABASE: typeof DATABASE = {
  ...DATABASE,
  serving: (base, row, network) => serving(base, row, network, row.rules <= RULES_DUE ? [] : undefined),
};

function serving(
  { sealer, facts }: DatabasesDeps,
  row: DatabaseRow,
  { gateway }: Network,
  admitted?: readonly Login[],
): Serving {
  const { dataPath, exposedPort, serve } = DIALECTS[row.engine];
  // A database of a task may use the volume of another database. Then the first start of that other database filled the
  // volume.
  const isFilled = row.state === 'made' || row.volume !== databaseVolumeName(facts.id, row.id);
  const { env, args, files } = serve(
    { ...databaseFacts(sealer, row), isFilled, ...(admitted && { admitted }) },
    gateway,
  );
  const further = optionsOf(row);
  return {
    ...{ env: { ...env, ...further.env }, args: [...(args ?? []), ...further.args] },
    ...{ files, dataPath, exposedPort },
  };
}

/**
 * Checks the server with a program in its container.
 * @returns `null` if the server is ready, otherwise an empty reason
 */
async function problem(base: DatabasesDeps, row: DatabaseRow, signal: AbortSignal): Promise<string | null> {
  const facts = databaseFacts(base.sealer, row);
  const isReady = await answers(base.engine, row.container_id ?? '', DIALECTS[row.engine].ready(facts), facts, signal);
  return isReady ? null : '';
}
