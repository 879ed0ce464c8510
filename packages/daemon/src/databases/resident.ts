/** What is a database's own among what the instance runs. */
import { databaseVolumeName } from '../engine/names.ts';
import type { Network } from '../engine/network.ts';
import type { Base } from '../release/base.ts';
import { rowOf } from '../residents/container.ts';
import type { ResidentChange, Seen, Serving } from '../residents/resident.ts';
import type { TaskedResident } from '../residents/steps.ts';
import {
  allDatabases,
  type DatabaseObserved,
  type DatabaseRow,
  databaseById,
  databaseReference,
  extensionsOf,
  forgetDatabase,
  setDatabase,
} from '../store/managed-database.ts';
import type { Tx } from '../store/store.ts';
import { answers } from './ask.ts';
import type { DatabaseBase, OfDatabase } from './base.ts';
import { DIALECTS } from './dialects/index.ts';
import { ensureImage } from './image.ts';
import { optionsOf } from './options.ts';
import { databaseFacts, sqlName } from './secrets.ts';

export const DATABASE: TaskedResident<DatabaseRow, OfDatabase, DatabaseBase> = {
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
  ensureImage: (base, { id }, signal) => ensureImage(base, id, signal),
  madeOf,
  serving,
  problem,
  idOf: ({ database }) => database,
  nudge: ({ nudgeDatabases }) => nudgeDatabases(),
};

/** @throws TaskFailed when it is gone */
export function databaseRow(base: Pick<Base, 'store'>, id: number): DatabaseRow {
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
  tell?: { change: string; at?: number },
): void {
  const observed = seen !== undefined && { observed: OBSERVED[seen] };
  setDatabase(tx, id, { ...columns, ...observed, ...(port !== undefined && { exposed_port: port }) }, tell);
}

function madeOf(row: DatabaseRow): unknown {
  const { image_id, exposed_port, options, engine } = row;
  const loaded = DIALECTS[engine].loaded?.(extensionsOf(row).map(sqlName)) ?? [];
  return [image_id, exposed_port, options, loaded];
}

function serving({ sealer }: Base, row: DatabaseRow, { gateway }: Network): Serving {
  const { dataPath, exposedPort, serve } = DIALECTS[row.engine];
  const { env, args, files } = serve(databaseFacts(sealer, row), gateway);
  const further = optionsOf(row);
  return {
    ...{ env: { ...env, ...further.env }, args: [...(args ?? []), ...further.args] },
    ...{ files, dataPath, exposedPort },
  };
}

/** It is asked of itself, by a program in its container. */
async function problem(base: Base, row: DatabaseRow, signal: AbortSignal): Promise<string | null> {
  const facts = databaseFacts(base.sealer, row);
  const isReady = await answers(base.engine, row.container_id ?? '', DIALECTS[row.engine].ready(facts), facts, signal);
  return isReady ? null : '';
}
