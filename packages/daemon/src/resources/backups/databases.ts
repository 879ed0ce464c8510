/** What backups need of databases: one that answers, one that is empty, and the record of one that is yet to be made. */
import { timestamp } from '@davit/api';
import { databaseVolumeName } from '../../adapters/engine/names.ts';
import { databaseSecretPlace } from '../../app-spec/database-access.ts';
import type { Tx } from '../../db/store.ts';
import { type DatabaseRow, databaseReference, setDatabase } from '../../db/tables/managed-database.ts';
import { insertDatabase } from '../../db/tables/new-database.ts';
import { AskFailed } from '../databases/ask.ts';
import type { DatabaseLike } from '../databases/like.ts';
import { databaseRow } from '../databases/resident.ts';
import { RULES, renewRules } from '../databases/rules.ts';
import { databaseFacts, databaseTls, newDatabasePassword, newTlsPair } from '../databases/secrets.ts';
import { say } from '../databases/tell.ts';
import { TaskFailed } from '../tasks/kind.ts';
import type { BackupsDeps } from './deps.ts';
import { DUMP_TOOLS } from './tools/index.ts';
import type { DumpedDatabase, DumpTool } from './tools/tool.ts';

export interface Answering {
  row: DatabaseRow;
  place: DumpedDatabase;
  tool: DumpTool;
}

/** @throws TaskFailed when it has no container that could answer */
export async function answering(base: BackupsDeps, id: number, signal: AbortSignal): Promise<Answering> {
  // The tools sign in as users that the server of an earlier version does not have.
  await withRules(base, id, signal);
  const row = databaseRow(base, id);
  if (row.container_id === null)
    throw new TaskFailed(`The database ${databaseReference(row)} is not running. Start it, then try again.`);
  const { adminPassword, login } = databaseFacts(base.sealer, row);
  const { container_id: container, database } = row;
  const place = { engine: base.engine, container, signal, adminPassword, login, database };
  return { row, place, tool: DUMP_TOOLS[row.engine] };
}

async function withRules(base: BackupsDeps, id: number, signal: AbortSignal): Promise<void> {
  try {
    await renewRules(base, id, signal);
  } catch (error) {
    if (!(error instanceof AskFailed)) throw error;
    throw new TaskFailed(`The rights of the database logins could not be updated: ${error.message}.`, [], {
      cause: error,
    });
  }
}

/** One that an earlier step has made to be filled, with nothing in it, also when it was filled before. */
export async function emptied(base: BackupsDeps, id: number, signal: AbortSignal): Promise<Answering> {
  const { tool, place } = await answering(base, id, signal);
  await tool.empty(place);
  return setUpDatabase(base, id, signal);
}

/** One that an earlier step has made, with its logins and its database. */
export async function setUpDatabase(base: BackupsDeps, id: number, signal: AbortSignal): Promise<Answering> {
  const found = await answering(base, id, signal);
  await say(base, id, { words: (dialect, facts) => dialect.setUp(facts) }, signal);
  return found;
}

/**
 * Sets the logins of a new server after the restore of a dump, whose code may have changed them.
 * The rules come first, because they find a changed password and end its sessions. The setup would hide the change.
 */
export async function secured(base: BackupsDeps, id: number, signal: AbortSignal): Promise<void> {
  await say(base, id, { words: (dialect, facts) => dialect.renewRules(facts) }, signal);
  await setUpDatabase(base, id, signal);
}

/** Begins the name of a database that is nobody's: no name of one has it, so that none is found by it. */
const HIDDEN = '~';

/** The name of a database that a task makes for itself. */
export function hiddenName(what: string, of: string, at: number): string {
  return `${HIDDEN}${what}-${of}-${timestamp(at).replaceAll(/[^0-9]/g, '')}`;
}

/** Puts a database on record that is to be made, with logins of its own. */
export function recordNew(base: BackupsDeps, tx: Tx, like: DatabaseLike): number {
  const passwords = { password: newDatabasePassword(), adminPassword: newDatabasePassword() };
  const tls = JSON.stringify(newTlsPair(like, base.now()));
  return insert(base, tx, like, { ...passwords, tls });
}

/** One for a trial alone, after which it is removed. @returns its number */
export function recordTrial(base: BackupsDeps, tx: Tx, like: DatabaseLike): number {
  const id = recordNew(base, tx, like);
  const options = DUMP_TOOLS[like.engine].trial?.(like.memory_bytes) ?? null;
  setDatabase(tx, id, { state: 'hidden', options: options === null ? null : JSON.stringify(options) });
  return id;
}

/**
 * The same with the logins of another one, whose place its data can take without its apps being refused meanwhile. The switch
 * gives the record other ones, with the former data.
 */
export function recordTwin(base: BackupsDeps, tx: Tx, like: DatabaseLike, of: DatabaseRow): number {
  const { login, adminPassword } = databaseFacts(base.sealer, of);
  const tls = JSON.stringify(databaseTls(base.sealer, of));
  const id = insert(base, tx, like, { password: login.password, adminPassword, tls });
  setDatabase(tx, id, { state: 'hidden' });
  return id;
}

interface Secrets {
  password: string;
  adminPassword: string;
  /** JSON. */
  tls: string;
}

function insert({ sealer, facts, now }: BackupsDeps, tx: Tx, like: DatabaseLike, secrets: Secrets): number {
  return insertDatabase(tx, { ...like, exposed_port: null, at: now() }, (id) => ({
    password: sealer.seal(secrets.password, databaseSecretPlace(id, 'password')),
    admin_password: sealer.seal(secrets.adminPassword, databaseSecretPlace(id, 'admin_password')),
    tls: sealer.seal(secrets.tls, databaseSecretPlace(id, 'tls')),
    volume: databaseVolumeName(facts.id, id),
    rules: RULES,
  }));
}

/** What a database is like, under another name and perhaps of another version. */
export function likeOf(row: DatabaseRow, other: { name: string; version?: string; image?: string }): DatabaseLike {
  const { project_id, environment_id, project, environment, engine, description, username, database } = row;
  const { cpu, memory_bytes, version, image, allow_config } = row;
  const place = { project_id, environment_id, project, environment };
  const limits = { cpu, memory_bytes, allow_config };
  const extensions = JSON.parse(row.extensions) as string[];
  return { ...place, engine, version, image, description, username, database, ...limits, extensions, ...other };
}
