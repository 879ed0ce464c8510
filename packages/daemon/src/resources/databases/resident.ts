/** What is a database's own among what the instance runs. */
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
import { RULES_DUE, renewRulesWhereFree } from './rules.ts';
import { databaseFacts, sqlName } from './secrets.ts';

export const DATABASE: TaskedResident<DatabaseRow, OfDatabase, DatabasesDeps> = {
  noun: 'database',
  hasLogs: true,
  all: allDatabases,
  find: (db, id) => databaseById(db, id) ?? null,
  change,
  forget: (tx, { id }) => forgetDatabase(tx, id),
  reference: databaseReference,
  seen: ({ observed }) => (observed === 'unready' ? 'silent' : observed),
  port: ({ exposed_port }) => exposed_port,
  volumeName: databaseVolumeName,
  stop: ({ engine }) => DIALECTS[engine].stop,
  listensOn: ({ engine }) => DIALECTS[engine].port,
  ensureImage: (base, { id }, signal) => ensureDatabaseImage(base, id, signal),
  madeOf,
  serving: (base, row, network) => serving(base, row, network),
  problem,
  renewRules: (base, { id }, signal) => renewRulesWhereFree(base, id, signal),
  idOf: ({ database }) => database,
  nudge: ({ nudgeDatabases }) => nudgeDatabases(),
};

/** @throws TaskFailed when it is gone */
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
  return [image_id, exposed_port, options, loaded];
}

/** How long a server that sessions hold up may take to end. It loses nothing then: it starts like after a power loss. */
const HELD_UP_S = 10;

/**
 * The same, for a server that is to take the place of one which sessions of apps hold up: it lets in these logins alone,
 * until it is told otherwise.
 */
export function closedDatabase(admitted: readonly Login[]): typeof DATABASE {
  return {
    ...DATABASE,
    stop: ({ engine }) => ({ ...DIALECTS[engine].stop, graceS: HELD_UP_S }),
    serving: (base, row, network) => serving(base, row, network, admitted),
  };
}

/**
 * The same, for a database that is brought back from the trash. Its server may still have another password than the record:
 * it lets no login in before the rules were applied.
 */
export const RETURNING_DATABASE: typeof DATABASE = {
  ...DATABASE,
  serving: (base, row, network) => serving(base, row, network, row.rules === RULES_DUE ? [] : undefined),
};

function serving(
  { sealer, facts }: DatabasesDeps,
  row: DatabaseRow,
  { gateway }: Network,
  admitted?: readonly Login[],
): Serving {
  const { dataPath, exposedPort, serve } = DIALECTS[row.engine];
  // A task's own database that has the volume of another one did not fill it.
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

/** It is asked of itself, by a program in its container. */
async function problem(base: DatabasesDeps, row: DatabaseRow, signal: AbortSignal): Promise<string | null> {
  const facts = databaseFacts(base.sealer, row);
  const isReady = await answers(base.engine, row.container_id ?? '', DIALECTS[row.engine].ready(facts), facts, signal);
  return isReady ? null : '';
}
