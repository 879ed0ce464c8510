/**
 * Functions for the database servers that backup tasks use. The functions connect to a running server, prepare a new
 * server, or insert the SQLite rows of new databases.
 */
import { timestamp } from '@davit/api';
import { databaseVolumeName } from '../../adapters/engine/names.ts';
import { databaseSecretLocation } from '../../app-spec/database-access.ts';
import type { Tx } from '../../db/store.ts';
import { type DatabaseRow, databaseReference, setDatabase } from '../../db/tables/managed-database.ts';
import { insertDatabase } from '../../db/tables/new-database.ts';
import { StatementFailed } from '../databases/commands.ts';
import { runInTurn } from '../databases/commands-in-turn.ts';
import type { DatabaseLike } from '../databases/like.ts';
import { databaseRow } from '../databases/managed-service.ts';
import { RULES, renewRules } from '../databases/rules.ts';
import { databaseFacts, newDatabasePassword, newTlsKey } from '../databases/secrets.ts';
import { TaskFailed } from '../tasks/kind.ts';
import type { BackupsDeps } from './deps.ts';
import { DUMP_TOOLS } from './tools/index.ts';
import type { DumpedDatabase, DumpTool } from './tools/tool.ts';

export interface Answering {
  row: DatabaseRow;
  place: DumpedDatabase;
  tool: DumpTool;
}

/**
 * Updates the users and permissions in a database server. Returns the SQLite row of the database, the connection data
 * and the backup tool.
 * @throws TaskFailed if the database has no container
 */
export async function answering(base: BackupsDeps, id: number, signal: AbortSignal): Promise<Answering> {
  /*
   * First create missing database users, because older Davit versions did not create the users that the backup tools
   * need.
   */
  await withRules(base, id, signal);
  const row = databaseRow(base, id);
  if (row.container_id === null)
    throw new TaskFailed(`The database ${databaseReference(row)} is not running. Start it, then try again.`);
  const { adminPassword, login } = databaseFacts(base.sealer, row);
  const { container_id: container, database } = row;
  const target = { engine: base.engine, container, signal, adminPassword, login, database };
  return { row, place: target, tool: DUMP_TOOLS[row.engine] };
}

async function withRules(base: BackupsDeps, id: number, signal: AbortSignal): Promise<void> {
  try {
    await renewRules(base, id, signal);
  } catch (error) {
    if (!(error instanceof StatementFailed)) throw error;
    throw new TaskFailed(`The permissions of the database logins could not be updated: ${error.message}.`, [], {
      cause: error,
    });
  }
}

/**
 * Deletes all data from a database server that an earlier task step created. Then creates the users and the empty
 * database again.
 */
export async function emptied(base: BackupsDeps, id: number, signal: AbortSignal): Promise<Answering> {
  const { tool, place: target } = await answering(base, id, signal);
  await tool.empty(target);
  return setUpDatabase(base, id, signal);
}

/** Creates the users and the database on a database server that an earlier task step started. */
export async function setUpDatabase(base: BackupsDeps, id: number, signal: AbortSignal): Promise<Answering> {
  const found = await answering(base, id, signal);
  await runInTurn(base, id, { command: (dialect, facts) => dialect.setUp(facts) }, signal);
  return found;
}

/**
 * Sets the passwords and permissions of the users in a new database server after a restore. Code in the dump may have
 * changed them.
 */
export async function secured(base: BackupsDeps, id: number, signal: AbortSignal): Promise<void> {
  // First end the sessions that use changed passwords. Then create the database users.
  await runInTurn(base, id, { command: (dialect, facts) => dialect.renewRules(facts) }, signal);
  await setUpDatabase(base, id, signal);
}

/**
 * Prefix of the names of hidden databases. The name of a normal database cannot contain `~`, so users cannot find a
 * hidden database by its name.
 */
const HIDDEN = '~';

/** Returns the name of a hidden database. Only one task uses this database, and users cannot see it. */
export function hiddenName(what: string, of: string, at: number): string {
  return `${HIDDEN}${what}-${of}-${timestamp(at).replaceAll(/[^0-9]/g, '')}`;
}

/** Inserts a database row with new passwords. A task later creates the container and the volume of this database. */
export function recordNew(base: BackupsDeps, tx: Tx, like: DatabaseLike): number {
  return insert(base, tx, like, { password: newDatabasePassword(), adminPassword: newDatabasePassword() });
}

/** Inserts the row of a temporary database for the verification of a backup. @returns the id of the database */
export function recordTrial(base: BackupsDeps, tx: Tx, like: DatabaseLike): number {
  const id = recordNew(base, tx, like);
  const options = DUMP_TOOLS[like.engine].trial?.(like.memory_bytes) ?? null;
  setDatabase(tx, id, { state: 'hidden', options: options === null ? null : JSON.stringify(options) });
  return id;
}

/**
 * Inserts the row of a hidden database with the passwords of the original database. A task later swaps the data of the
 * two databases.
 */
export function recordTwin(base: BackupsDeps, tx: Tx, like: DatabaseLike, of: DatabaseRow): number {
  // Copy the passwords of the original database, so that apps can sign in before and after the swap of the data.
  const { login, adminPassword } = databaseFacts(base.sealer, of);
  const id = insert(base, tx, like, { password: login.password, adminPassword });
  setDatabase(tx, id, { state: 'hidden' });
  return id;
}

interface Secrets {
  password: string;
  adminPassword: string;
}

function insert({ sealer, facts, now }: BackupsDeps, tx: Tx, like: DatabaseLike, secrets: Secrets): number {
  return insertDatabase(tx, { ...like, exposed_port: null, at: now() }, (id) => ({
    password: sealer.seal(secrets.password, databaseSecretLocation(id, 'password')),
    admin_password: sealer.seal(secrets.adminPassword, databaseSecretLocation(id, 'admin_password')),
    tls: newTlsKey(sealer, id),
    volume: databaseVolumeName(facts.id, id),
    rules: RULES,
  }));
}

/** Returns the properties of a copy of a database. The copy has another name and can have another version. */
export function likeOf(row: DatabaseRow, other: { name: string; version?: string; image?: string }): DatabaseLike {
  const { project_id, environment_id, project, environment, engine, description, username, database } = row;
  const { cpu, memory_bytes, version, image, allow_config } = row;
  const location = { project_id, environment_id, project, environment };
  const limits = { cpu, memory_bytes, allow_config };
  const extensions = JSON.parse(row.extensions) as string[];
  return { ...location, engine, version, image, description, username, database, ...limits, extensions, ...other };
}
