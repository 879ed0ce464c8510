import type { BackupDestination } from '@davit/api';
import type { BackupsDeps } from '../deps.ts';
import { DestinationRefused } from '../destination.ts';
import { whyNotOwn } from '../destination-check.ts';
/**
 * Archives the WAL segments (parts of the write-ahead log) of PostgreSQL. Segments wait in the data volume. So no
 * segment is lost while the backup destination is unavailable.
 */

import type { BackupScheduleRow } from '../../../db/tables/backup-schedule.ts';
import { forgetSegment, lastSegment, recordSegment, segmentsOf } from '../../../db/tables/backup-segment.ts';
import { type DatabaseRow, databaseReference } from '../../../db/tables/managed-database.ts';
import { ADMIN } from '../../databases/dialects/dialect.ts';
import { WAITING } from '../../databases/dialects/postgres-archiving.ts';
import { PGDATA } from '../../databases/dialects/postgres-commands.ts';
import { answering } from '../databases.ts';
import { removeKept } from '../open.ts';
import { packed } from '../packing.ts';
import { expiredBases, expiredSegments, removeExpired } from '../retention.ts';
import { keepSealed } from '../take.ts';
import { psql } from '../tools/postgres-client.ts';
import { programOutput, run, ToolFailed } from '../tools/program.ts';
import type { DumpedDatabase } from '../tools/tool.ts';
import { basesOf, isComplete, oldestUsable, SEGMENT_BYTES } from './bases.ts';

const FOLDER = `${PGDATA}/${WAITING}`;
const SEGMENT = /^[0-9A-F]{24}$/;
const PIECE = /^([0-9A-F]{24}(\.[0-9A-F]{8}\.backup)?|[0-9A-F]{8}\.history)$/;

/**
 * Archives finished WAL segments (parts of the write-ahead log), oldest first. Also removes segments and base backups
 * that are not needed any more.
 * @returns `false` if PostgreSQL must restart before it archives WAL
 */
export async function collectLog(
  base: BackupsDeps,
  row: DatabaseRow,
  schedule: BackupScheduleRow,
  signal: AbortSignal,
): Promise<boolean> {
  const { place } = await answering(base, row.id, signal);
  const output = await psql({ ...place, database: null }, ADMIN, LAST_ARCHIVED);
  const [last = '', ms = '0', mode] = output.trimEnd().split('\t');
  await demandOwn(base, { row, schedule, place });
  const lastMs = Number(ms);
  /*
   * PostgreSQL archives the `.backup` file of a base backup with a delay. So the archive may already contain WAL
   * segments with later names.
   */
  const isLabel = last.endsWith('.backup');
  for (const name of await waiting(place)) {
    const isLater = name > last && !name.endsWith('.history');
    if (last === '' || (isLater && !isLabel)) break;
    const at = isLater || name === last ? lastMs : (lastSegment(base.store, row)?.at ?? 0);
    const taking = { row, schedule, place };
    if (await isWhole(place, name)) await take(base, taking, name, at);
    else reportDamage(base, row, name);
    await run(place, { command: ['rm', '-f', `${FOLDER}/${name}`], user: 'postgres' });
  }
  await removeUnneeded(base, row, signal);
  return mode !== 'off';
}

const LAST_ARCHIVED =
  "SELECT coalesce(last_archived_wal, ''), coalesce(extract(epoch FROM last_archived_time) * 1000, 0)::bigint, current_setting('archive_mode') FROM pg_stat_archiver;\n";

async function waiting(target: DumpedDatabase): Promise<string[]> {
  const listed = await run(target, { command: ['ls', '-1', FOLDER], user: 'postgres' }).catch((error: unknown) => {
    // Ignore a missing folder. PostgreSQL creates the folder for WAL segments together with the first segment.
    if (error instanceof ToolFailed) return '';
    throw error;
  });
  return listed
    .split('\n')
    .filter((name) => PIECE.test(name))
    .sort();
}

/**
 * Returns whether a WAL file (write-ahead log) has its full size. In earlier Davit versions, a power failure could
 * truncate a WAL file. A recovery stops at a truncated file.
 */
async function isWhole(target: DumpedDatabase, piece: string): Promise<boolean> {
  const output = await run(target, { command: ['stat', '-c', '%s', `${FOLDER}/${piece}`], user: 'postgres' });
  return SEGMENT.test(piece) ? Number(output) === SEGMENT_BYTES : Number(output) > 0;
}

/**
 * Logs a damaged WAL file (write-ahead log). Davit does not archive the file, so the archive has a gap. When Davit
 * archives the next file, it detects the gap and creates a new base backup.
 */
function reportDamage({ log }: BackupsDeps, row: DatabaseRow, piece: string): void {
  log.warn(
    { database: databaseReference(row), file: piece },
    'a file of the transaction log is damaged and was left out; Davit takes a new base backup',
  );
}

interface Taking {
  row: DatabaseRow;
  schedule: BackupScheduleRow;
  place: DumpedDatabase;
}

/**
 * Checks that the project may use the backup destination.
 * @throws DestinationRefused if the project may not use the destination
 */
async function demandOwn({ store }: BackupsDeps, { row, schedule, place: target }: Taking): Promise<void> {
  const why = whyNotOwn(store, row.project_id, JSON.parse(schedule.destination) as BackupDestination);
  if (why === null) return;
  // Delete the WAL segments that wait for archiving. Otherwise, they would fill the volume of the database.
  for (const name of await waiting(target))
    await run(target, { command: ['rm', '-f', `${FOLDER}/${name}`], user: 'postgres' });
  throw new DestinationRefused(why);
}

async function take(
  base: BackupsDeps,
  { row, schedule, place: target }: Taking,
  piece: string,
  at: number,
): Promise<void> {
  const { destination } = schedule;
  const { prefix = '' } = JSON.parse(destination) as { prefix?: string };
  const reference = databaseReference(row);
  const key = `${prefix}${base.facts.id}/${reference}/log/${row.volume}/${piece}`;
  const about = {
    key,
    destination,
    database: reference,
    engine: row.engine,
    version: row.version,
    kind: 'log',
  } as const;
  // Compress the WAL segments. If the database writes little, most bytes of a segment are zero.
  const bytes = packed(programOutput(target, { command: ['cat', `${FOLDER}/${piece}`], user: 'postgres' }));
  const { sizeBytes: size_bytes } = await keepSealed(base, about, bytes, target.signal, () => undefined);
  const kept = { database_id: row.id, name: `${row.volume}/${piece}`, destination, key, size_bytes, at };
  base.store.tx((tx) => recordSegment(tx, kept));
}

/**
 * Removes base backups that are not needed any more. Also removes WAL segments (parts of the write-ahead log) from
 * before the oldest base backup or from an earlier volume.
 */
async function removeUnneeded(base: BackupsDeps, row: DatabaseRow, signal: AbortSignal): Promise<void> {
  const { store } = base;
  const rethrow = (_: unknown, error: Error) => {
    throw error;
  };
  const bases = expiredBases(basesOf(store, row.id), row.volume, (one) => isComplete(store, one));
  await removeExpired(base, bases, rethrow, signal);
  const expired = expiredSegments(segmentsOf(store, row.id), row.volume, oldestUsable(store, row));
  for (const segment of expired) {
    await removeKept(base, segment, signal);
    store.tx((tx) => forgetSegment(tx, segment));
  }
}
