import type { BackupsDeps } from './deps.ts';
/** Functions that insert the database row of a backup and write the encrypted backup to its destination. */

import type { BackupOrigin, DatabaseEngine, BackupDestination as Kept, Via } from '@davit/api';
import type { Tx } from '../../db/store.ts';
import { type BackupRow, insertBackup, type TakenBackup } from '../../db/tables/backup.ts';
import { type DatabaseRow, databaseReference, extensionsOf } from '../../db/tables/managed-database.ts';
import { counting } from './counting.ts';
import { destinationOf } from './destinations.ts';
import { sealStream } from './envelope/envelope.ts';
import { PACKING, packed } from './packing.ts';
import { dumping } from './tools/dumping.ts';
import { DUMP_TOOLS } from './tools/index.ts';
import type { DumpedDatabase } from './tools/tool.ts';

/** Properties of the original database that Davit needs to restore the backup into a new database. */
export interface BackupDetails {
  username: string;
  database: string | null;
  extensions: string[];
  description: string | null;
  cpu: number | null;
  memory_bytes: number | null;
}

export interface BackupRequest {
  origin: BackupOrigin;
  kind?: BackupRow['kind'];
  destination: Kept;
  by: string;
  via: Via;
  taskId: number | null;
}

/** Inserts the database row for a backup that a task creates later. */
export function recordBackup(core: BackupsDeps, tx: Tx, database: DatabaseRow, request: BackupRequest): BackupRow {
  const { id, project_id, engine, version } = database;
  const reference = databaseReference(database);
  const { origin, kind = 'dump', destination, by, via, taskId: task_id } = request;
  const fields = { database_id: id, project_id, database: reference, engine, version, kind, origin, by, via, task_id };
  const kept = { destination: JSON.stringify(destination), details: JSON.stringify(detailsOf(database)) };
  const prefix = destination.kind === 'object_store' ? destination.prefix : '';
  const nameOf = (backup: number) => `${prefix}${core.facts.id}/${reference}/${id}-${backup}.davitbackup`;
  return insertBackup(tx, { ...fields, ...kept, started_at: core.now() }, nameOf);
}

function detailsOf(row: DatabaseRow): BackupDetails {
  const { username, database, description, cpu, memory_bytes } = row;
  return { username, database, extensions: extensionsOf(row), description, cpu, memory_bytes };
}

/**
 * Writes the dump of a database to the backup destination. If the function throws an error, no object of this backup
 * remains at the destination.
 */
export async function takeDump(
  core: BackupsDeps,
  row: BackupRow,
  of: DumpedDatabase,
  onBytes: (done: number) => void,
): Promise<Omit<TakenBackup, 'at'>> {
  const tool = DUMP_TOOLS[row.engine as DatabaseEngine];
  return dumping(tool, of, async (dump) => {
    const taken = await keepSealed(core, row, dump.bytes, of.signal, onBytes, !tool.isPacked);
    return { ...taken, facts: JSON.stringify(await dump.facts()) };
  });
}

/**
 * Encrypts bytes and stores them at the destination of a backup.
 * @param pack whether to compress the bytes before the encryption. The header of the backup contains this value.
 */
export async function keepSealed(
  core: BackupsDeps,
  row: Pick<BackupRow, 'key' | 'destination' | 'database' | 'engine' | 'version'> & { kind: string },
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  onBytes: (done: number) => void,
  pack = false,
): Promise<{ sizeBytes: number; dumpBytes: number }> {
  let dumpBytes = 0;
  const counted = counting(bytes, (done) => {
    dumpBytes = done;
    onBytes(done);
  });
  const { database, engine, version, kind, key } = row;
  const about = {
    backup: `${core.facts.id}/${key}`,
    database,
    engine,
    version,
    kind,
    ...(pack && { packing: PACKING }),
  };
  const destination = await destinationOf(core, JSON.parse(row.destination) as Kept);
  const sizeBytes = await destination.put(
    key,
    sealStream(pack ? packed(counted) : counted, core.sealer, about),
    signal,
  );
  return { sizeBytes, dumpBytes };
}
