import type { BackupsDeps } from '../deps.ts';
/**
 * Point-in-time recovery of PostgreSQL. A second server in the container of a new database replays the WAL (write-ahead
 * log). Then Davit dumps the data of this server and restores it into the new database.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionEnd } from '../../../adapters/engine/execution.ts';
import type { BackupRow } from '../../../db/tables/backup.ts';
import type { SegmentRow } from '../../../db/tables/backup-segment.ts';
import { ADMIN } from '../../databases/dialects/dialect.ts';
import { POSTGRES_PROGRAMS } from '../../databases/dialects/postgres.ts';
import { PLATFORM_ALONE, USERS } from '../../databases/dialects/postgres-access.ts';
import { PGDATA } from '../../databases/dialects/postgres-commands.ts';
import { putAside } from '../../databases/dialects/postgres-leftovers.ts';
import { openToConnections } from '../../databases/dialects/postgres-session.ts';
import { openBackup } from '../open.ts';
import { unpacked } from '../packing.ts';
import { psql } from '../tools/postgres-client.ts';
import { lastWords } from '../tools/postgres-log.ts';
import { onePiece, run, startProgram, ToolFailed } from '../tools/program.ts';
import type { DumpedDatabase } from '../tools/tool.ts';

/**
 * Folder of a point-in-time recovery. `pg_basebackup` does not copy this folder, because its name begins with
 * `pgsql_tmp`.
 */
const FOLDER = `${PGDATA}/pgsql_tmp_davit_recovery`;
const DATA = `${FOLDER}/data`;
const LOG = `${FOLDER}/log`;
/**
 * Folder for the socket of the recovery server. The folder is not in the data folder, because the user that runs
 * Davit's client cannot open the data folder.
 */
const SOCKETS = '/tmp/davit_recovery';
/**
 * Access rules of the recovery server. The server requires no password, because the passwords in the recovered data may
 * be unknown.
 */
const ACCESS = { hba_file: `${FOLDER}/pg_hba.conf`, ident_file: `${FOLDER}/pg_ident.conf` };
const PORT = 6_432;
const LOOK_AGAIN_MS = 100;
const USER = 'postgres';
/**
 * Error message of PostgreSQL if the WAL (write-ahead log) ends before the chosen point in time. PostgreSQL has then
 * replayed all available WAL.
 */
const NOT_REACHED = 'recovery ended before configured recovery target was reached';

export interface Recovery {
  base: BackupRow;
  segments: readonly SegmentRow[];
  /** Point in time to restore, in milliseconds since the epoch. */
  at: number;
}

/**
 * Copies a base backup and its archived WAL (write-ahead log) to the container of a recovery. The function first
 * removes the files of an earlier attempt.
 */
export async function layOut(core: BackupsDeps, database: DumpedDatabase, { base, segments }: Recovery): Promise<void> {
  await removeRecovery(database);
  await run(database, { command: ['mkdir', '-p', '-m', '700', FOLDER, DATA, LOG], user: USER });
  await run(database, { command: ['mkdir', '-m', '755', SOCKETS], user: USER });
  await write(database, ACCESS.hba_file, onePiece(PLATFORM_ALONE));
  await write(database, ACCESS.ident_file, onePiece(USERS));
  const files = unpacked(await openBackup(core, base, database.signal));
  await run(database, { command: ['tar', '-x', '-C', DATA], user: USER }, files);
  for (const segment of segments) {
    const piece = segment.name.slice(segment.name.indexOf('/') + 1);
    const bytes = unpacked(await openBackup(core, segment, database.signal));
    await write(database, `${LOG}/${piece}`, bytes);
  }
  await run(database, { command: ['touch', `${DATA}/recovery.signal`], user: USER });
}

async function write(database: DumpedDatabase, path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await run(database, { command: ['dd', `of=${path}`, 'bs=65536'], user: USER }, bytes);
}

/**
 * Starts a second PostgreSQL server with the data of a database at the time `at`. While this server runs, calls `use`.
 * @throws ToolFailed
 */
export async function recovered(
  database: DumpedDatabase,
  at: number,
  use: (second: DumpedDatabase) => Promise<void>,
): Promise<void> {
  const target = `recovery_target_time=${new Date(at).toISOString().replace('T', ' ').replace('Z', '+00')}`;
  const isThere = await serving(database, ['-c', target, '-c', 'recovery_target_action=promote'], use);
  if (!isThere) await serving(database, [], use);
}

/**
 * Runs the second PostgreSQL server of a recovery, and calls `use` with the recovered data.
 * @returns `false` if the archived data ends before the chosen time
 */
async function serving(
  database: DumpedDatabase,
  target: readonly string[],
  use: (second: DumpedDatabase) => Promise<void>,
): Promise<boolean> {
  const stop = new AbortController();
  const settings = Object.entries({
    // An app with superuser permissions may have saved settings that run programs. So replace these settings.
    ...POSTGRES_PROGRAMS,
    ...{ autovacuum: 'off', shared_preload_libraries: '', restore_command: `cp ${LOG}/%f %p` },
    ...{ data_directory: DATA, unix_socket_directories: SOCKETS, listen_addresses: '', ssl: 'off', ...ACCESS },
    // Disable `hot_standby`. Otherwise, the server would accept connections during the recovery.
    hot_standby: 'off',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = ['postgres', '-D', DATA, '-p', String(PORT), ...settings, ...target];
  const server = await startProgram(
    { ...database, signal: AbortSignal.any([database.signal, stop.signal]) },
    { command, user: USER },
  );
  const ended = server.exited.catch((error: Error) => error);
  Array.fromAsync(server.stdout, () => null).catch(() => undefined);
  try {
    const second = { ...database, socket: { folder: SOCKETS, port: PORT } };
    const end = await untilItServes(second, ended);
    if (end !== null) {
      if (!(end instanceof Error) && end.stderrTail.includes(NOT_REACHED) && target.length > 0) return false;
      throw end instanceof Error
        ? end
        : new ToolFailed(`postgres could not recover to the requested point in time: ${lastWords(end.stderrTail)}`);
    }
    await cleaned(second);
    await use(second);
    return true;
  } finally {
    stop.abort(new Error('the recovered data was exported'));
    await ended;
  }
}

/**
 * Disables code that an earlier superuser left in the recovered data. Otherwise, Davit would run this code with
 * administrator permissions.
 */
async function cleaned(second: DumpedDatabase): Promise<void> {
  const say = (database: string | null, statements: readonly string[]) =>
    psql({ ...second, database }, ADMIN, `${statements.join('\n')}\n`);
  const { database } = second;
  /*
   * First allow connections to the database that Davit dumps, because the owner of the database may have forbidden
   * connections.
   */
  await say(null, [...putAside(), ...(database === null ? [] : openToConnections(database))]);
  // Also disable code in this database, for example event triggers.
  if (database !== null) await say(database, putAside());
}

type Ended = Promise<ExecutionEnd | Error>;

/**
 * Waits until the recovery server accepts connections.
 * @returns `null`, or the exit status or an error if the server has stopped
 */
async function untilItServes(second: DumpedDatabase, ended: Ended): Promise<ExecutionEnd | Error | null> {
  for (;;) {
    if (await isServing(second)) return null;
    const end = await Promise.race([ended, sleep(LOOK_AGAIN_MS, null, { signal: second.signal })]);
    if (end !== null) return end;
  }
}

async function isServing(second: DumpedDatabase): Promise<boolean> {
  const answer = await psql({ ...second, database: null }, ADMIN, 'SELECT pg_is_in_recovery();\n').catch(
    (error: unknown) => {
      if (error instanceof ToolFailed) return '';
      throw error;
    },
  );
  return answer.trim() === 'f';
}

export async function removeRecovery(database: DumpedDatabase): Promise<void> {
  await run(database, { command: ['rm', '-rf', FOLDER, SOCKETS], user: USER });
}
