import type { BackupsDeps } from '../deps.ts';
/**
 * Goes from a base to a moment: a second server in the container of a new database gets the base and its log, reads on until
 * the moment, and is then written out into the first one, which has its own logins.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionEnd } from '../../../adapters/engine/execution.ts';
import type { BackupRow } from '../../../db/tables/backup.ts';
import type { SegmentRow } from '../../../db/tables/backup-segment.ts';
import { ADMIN } from '../../databases/dialects/dialect.ts';
import { PGDATA, POSTGRES_PROGRAMS } from '../../databases/dialects/postgres.ts';
import { PLATFORM_ALONE, USERS } from '../../databases/dialects/postgres-access.ts';
import { putAside } from '../../databases/dialects/postgres-leftovers.ts';
import { openBackup } from '../open.ts';
import { unpacked } from '../packing.ts';
import { psql } from '../tools/postgres-client.ts';
import { lastWords } from '../tools/postgres-log.ts';
import { oneText, run, startProgram, ToolFailed } from '../tools/program.ts';
import type { DumpedDatabase } from '../tools/tool.ts';

/** A name that the server's own copies of its data leave out. */
const FOLDER = `${PGDATA}/pgsql_tmp_davit_recovery`;
const DATA = `${FOLDER}/data`;
const LOG = `${FOLDER}/log`;
/** Of the second server. No other user may enter a folder inside of the data. */
const SOCKETS = '/tmp/davit_recovery';
/** What it reads of who may connect: its roles are those of the moment, with passwords that nobody knows any more. */
const ACCESS = { hba_file: `${FOLDER}/pg_hba.conf`, ident_file: `${FOLDER}/pg_ident.conf` };
const PORT = 6_432;
const LOOK_AGAIN_MS = 100;
const USER = 'postgres';
/** What the server says where nothing was written after the moment: all that there is was read. */
const NOT_REACHED = 'recovery ended before configured recovery target was reached';

export interface Recovery {
  base: BackupRow;
  segments: readonly SegmentRow[];
  /** Milliseconds since the epoch. */
  at: number;
}

/** Puts base and log where the second server finds them; what was there before is removed. */
export async function layOut(core: BackupsDeps, place: DumpedDatabase, { base, segments }: Recovery): Promise<void> {
  await removeRecovery(place);
  await run(place, { command: ['mkdir', '-p', '-m', '700', FOLDER, DATA, LOG], user: USER });
  await run(place, { command: ['mkdir', '-m', '755', SOCKETS], user: USER });
  await write(place, ACCESS.hba_file, oneText(PLATFORM_ALONE));
  await write(place, ACCESS.ident_file, oneText(USERS));
  const files = unpacked(await openBackup(core, base, place.signal));
  await run(place, { command: ['tar', '-x', '-C', DATA], user: USER }, files);
  for (const segment of segments) {
    const piece = segment.name.slice(segment.name.indexOf('/') + 1);
    const bytes = unpacked(await openBackup(core, segment, place.signal));
    await write(place, `${LOG}/${piece}`, bytes);
  }
  await run(place, { command: ['touch', `${DATA}/recovery.signal`], user: USER });
}

async function write(place: DumpedDatabase, path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await run(place, { command: ['dd', `of=${path}`, 'bs=65536'], user: USER }, bytes);
}

/** Has the second server at the moment while `use` is at work. @throws ToolFailed */
export async function recovered(
  place: DumpedDatabase,
  at: number,
  use: (second: DumpedDatabase) => Promise<void>,
): Promise<void> {
  const target = `recovery_target_time=${new Date(at).toISOString().replace('T', ' ').replace('Z', '+00')}`;
  const isThere = await serving(place, ['-c', target, '-c', 'recovery_target_action=promote'], use);
  if (!isThere) await serving(place, [], use);
}

/** @returns false when all of the log was read before the moment came */
async function serving(
  place: DumpedDatabase,
  target: readonly string[],
  use: (second: DumpedDatabase) => Promise<void>,
): Promise<boolean> {
  const stop = new AbortController();
  const settings = Object.entries({
    // A superuser of the recovered database must not be able to run programs through these settings.
    ...POSTGRES_PROGRAMS,
    ...{ autovacuum: 'off', shared_preload_libraries: '', restore_command: `cp ${LOG}/%f %p` },
    ...{ data_directory: DATA, unix_socket_directories: SOCKETS, listen_addresses: '', ssl: 'off', ...ACCESS },
    // It is asked nothing before the moment, and so needs no room for as many connections as the recovered server had.
    hot_standby: 'off',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = ['postgres', '-D', DATA, '-p', String(PORT), ...settings, ...target];
  const server = await startProgram(
    { ...place, signal: AbortSignal.any([place.signal, stop.signal]) },
    { command, user: USER },
  );
  const ended = server.exited.catch((error: Error) => error);
  Array.fromAsync(server.stdout, () => null).catch(() => undefined);
  try {
    const second = { ...place, socket: { folder: SOCKETS, port: PORT } };
    const end = await untilItServes(second, ended);
    if (end !== null) {
      if (!(end instanceof Error) && end.stderrTail.includes(NOT_REACHED) && target.length > 0) return false;
      throw end instanceof Error
        ? end
        : new ToolFailed(`postgres could not go to the moment: ${lastWords(end.stderrTail)}`);
    }
    // What a superuser of the recovered database left there would run in the sessions of the administrator.
    await psql({ ...second, database: null }, ADMIN, `${putAside().join('\n')}\n`);
    await use(second);
    return true;
  } finally {
    stop.abort(new Error('it was written out'));
    await ended;
  }
}

type Ended = Promise<ExecutionEnd | Error>;

/** @returns how it ended; null: it serves */
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

export async function removeRecovery(place: DumpedDatabase): Promise<void> {
  await run(place, { command: ['rm', '-rf', FOLDER, SOCKETS], user: USER });
}
