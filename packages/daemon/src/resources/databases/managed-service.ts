/** Defines databases as a kind of managed service. The functions find, start, stop and check a database server. */
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
import type { ManagedServiceChange, Seen, Serving } from '../../managed-services/managed-service.ts';
import type { TaskedManagedService } from '../../managed-services/steps.ts';
import type { OfDatabase } from './base.ts';
import { ensureCertificate, fingerprintIn } from './certificates/certificate.ts';
import { succeeds } from './commands.ts';
import type { DatabasesDeps } from './deps.ts';
import type { Login } from './dialects/dialect.ts';
import { DIALECTS } from './dialects/index.ts';
import { ensureDatabaseImage } from './image.ts';
import { optionsOf } from './options.ts';
import { RULES_BLOCKED, RULES_DUE, renewRulesWhereFree } from './rules.ts';
import { databaseFacts, sqlName } from './secrets.ts';

export const DATABASE: TaskedManagedService<DatabaseRow, OfDatabase, DatabasesDeps> = {
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
  prepare: (base, { id }) => ensureCertificate(base, id),
  created: (tx, row) => setDatabase(tx, row.id, { served_certificate: fingerprintIn(row) }),
  madeOf,
  serving: (base, row, network) => serving(base, row, network, row.rules === RULES_BLOCKED ? [] : undefined),
  problem,
  renewRules: (base, { id }, signal) => renewRulesWhereFree(base, id, signal),
  idOf: ({ database }) => database,
  nudge: ({ nudgeDatabases }) => nudgeDatabases(),
};

/**
 * Reads the row of a database from SQLite.
 * @throws TaskFailed if the database was deleted
 */
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
  { seen, port, ...columns }: ManagedServiceChange,
  event?: { change: ResourceChange; at?: number },
): void {
  const observed = seen !== undefined && { observed: OBSERVED[seen] };
  setDatabase(tx, id, { ...columns, ...observed, ...(port !== undefined && { exposed_port: port }) }, event);
}

function madeOf(row: DatabaseRow): unknown {
  const { image_id, exposed_port, options, engine } = row;
  const { loaded: loadedBy, exposedArguments } = DIALECTS[engine];
  const loaded = loadedBy?.(extensionsOf(row).map(sqlName)) ?? [];
  const exposed = exposed_port === null || exposedArguments === undefined ? [] : [exposedArguments];
  /*
   * Return the parsed server arguments and not the text in the database row. A new Davit version may parse the same
   * text differently.
   */
  return [image_id, exposed_port, options === null ? null : optionsOf(row), loaded, ...exposed];
}

/**
 * Stop timeout in seconds for a blocked database server. After this time, Docker kills the server. The server recovers
 * its data at the next start.
 */
const HELD_UP_S = 10;

/**
 * Describes a new container for a database server that is blocked by sessions.
 * @param admitted logins that the new server accepts at first. A later command enables the other logins.
 */
export function closedDatabase(admitted: readonly Login[]): typeof DATABASE {
  return {
    ...DATABASE,
    stop: ({ engine }) => ({ ...DIALECTS[engine].stop, graceS: HELD_UP_S }),
    serving: (base, row, network) => serving(base, row, network, admitted),
  };
}

/**
 * Container of a database that a user restores from the trash. An old password may still be valid, so the server
 * rejects the logins of apps until Davit has set the new password.
 */
export const RETURNING_DATABASE: typeof DATABASE = {
  ...DATABASE,
  serving: (base, row, network) => serving(base, row, network, row.rules <= RULES_DUE ? [] : undefined),
};

function serving(
  { sealer, facts }: DatabasesDeps,
  row: DatabaseRow,
  { gateway, subnet }: Network,
  admitted?: readonly Login[],
): Serving {
  const { dataPath, exposedPort, serve } = DIALECTS[row.engine];
  // A volume of another database already contains data, so the server does not create a new database in the volume.
  const isFilled = row.state === 'made' || row.volume !== databaseVolumeName(facts.id, row.id);
  const { env, args, files } = serve(
    { ...databaseFacts(sealer, row), isFilled, ...(admitted && { admitted }) },
    { gateway, subnet, isExposed: row.exposed_port !== null },
  );
  const further = optionsOf(row);
  return {
    ...{ env: { ...env, ...further.env }, args: [...(args ?? []), ...further.args] },
    ...{ files, dataPath, exposedPort },
  };
}

/**
 * Checks whether the database server is ready.
 * @returns `null` if the server is ready, otherwise an empty string, because the client command returns no reason
 */
async function problem(base: DatabasesDeps, row: DatabaseRow, signal: AbortSignal): Promise<string | null> {
  const facts = databaseFacts(base.sealer, row);
  const isReady = await succeeds(base.engine, row.container_id ?? '', DIALECTS[row.engine].ready(facts), facts, signal);
  return isReady ? null : '';
}
