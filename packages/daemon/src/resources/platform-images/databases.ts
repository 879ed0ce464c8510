/**
 * Updates databases whose image is built on this server. Restarts one database at a time with the newer image, and only
 * in the maintenance window.
 */

import { isMadeEngine, madeReference } from '../../adapters/engine/made-images.ts';
import type { PlatformImageRecord } from '../../adapters/engine/platform-images.ts';
import type { AuditFacts } from '../../db/tables/audit-log.ts';
import { allDatabases, type DatabaseRow, databaseReference } from '../../db/tables/managed-database.ts';
import { lastTaskOfKind, openDeletionOf, openTaskOf, openTasks } from '../../db/tables/task.ts';
import type { UpdatingImage } from '../databases/kinds/update.ts';
import type { TaskRequest, Tasks } from '../tasks/tasks.ts';
import type { PlatformImagesDeps } from './deps.ts';

type Parts = Pick<PlatformImagesDeps, 'store' | 'now' | 'settings' | 'audit'> & { tasks: Tasks };

export const UPDATE_KIND = 'database.update';
/** User name in the audit log for automatic updates of databases. */
const BY = 'davit';
/** Delay in milliseconds after which a canceled update of a database starts again. */
const CANCELLED_MS = 20 * 60 * 60_000;

/** Database that does not run the newest image that this instance has built. */
export interface OutdatedDatabase {
  row: DatabaseRow;
  imageId: string;
  /**
   * Whether the update to the newest image failed or was canceled. In this case, the database waits for an even newer
   * image.
   */
  isKeptBack: boolean;
}

/** Returns the names of the images that databases use and that this instance must build. */
export function enginesInUse({ store }: Pick<PlatformImagesDeps, 'store'>): string[] {
  return [
    ...new Set(
      allDatabases(store)
        .filter(isMadeHere)
        .map(({ engine }) => engine),
    ),
  ];
}

/**
 * Returns a map from image id to image name for all databases. Returns `null` during an update of a database, because
 * SQLite may then not contain the earlier image.
 */
export function imagesOfDatabases({ store }: Pick<PlatformImagesDeps, 'store'>): Map<string, string> | null {
  if (openTasks(store).some(({ kind }) => kind === UPDATE_KIND)) return null;
  const rows = allDatabases(store).filter(isMadeHere);
  return new Map(rows.flatMap(({ image_id, engine }) => (image_id === null ? [] : [[image_id, engine] as const])));
}

export function outdatedDatabases(parts: Parts, records: readonly PlatformImageRecord[]): OutdatedDatabase[] {
  if (!records.some(({ name }) => isMadeEngine(name))) return [];
  return allDatabases(parts.store).flatMap((row) => {
    const record = records.find(({ name }) => name === row.engine);
    if (record === undefined || !isMadeHere(row) || row.state !== 'made' || row.deleted_at !== null) return [];
    // Skip stopped databases. Only a running database shows whether the update works.
    if (row.wanted === 'stopped' || row.image_id === null || row.image_id === record.imageId) return [];
    return [{ row, imageId: record.imageId, isKeptBack: hasFailed(parts, row, record) }];
  });
}

/** Starts the update of one database to its newest image. Call this function only in the maintenance window. */
export function updateNext(parts: Parts, records: readonly PlatformImageRecord[]): void {
  const outdated = outdatedDatabases(parts, records);
  if (outdated.some(({ row }) => openTaskOf(parts.store, 'database', databaseReference(row))?.kind === UPDATE_KIND))
    return;
  for (const { row, imageId, isKeptBack } of outdated) {
    if (isKeptBack || openTaskOf(parts.store, 'database', databaseReference(row)) !== undefined) continue;
    if (openDeletionOf(parts.store, row.project_id) !== undefined) continue;
    parts.audit.during(auditFacts(row), () => parts.tasks.start(updateOf(row, imageId)));
    return;
  }
}

function updateOf(row: DatabaseRow, imageId: string): TaskRequest<UpdatingImage> {
  return {
    kind: UPDATE_KIND,
    subject: { kind: 'database', name: databaseReference(row) },
    projectId: row.project_id,
    input: { database: row.id, imageId, before: row.image_id },
    by: BY,
    via: 'schedule',
  };
}

function auditFacts(row: DatabaseRow): AuditFacts {
  return {
    ...{ actor: BY, key_id: null, key_name: null, via: 'schedule', ip: 'local', operation: 'restartDatabase' },
    ...{ target: databaseReference(row), project_id: row.project_id, status: 202, request_id: null },
  };
}

function hasFailed({ store, now }: Parts, row: DatabaseRow, { builtAt }: PlatformImageRecord): boolean {
  const last = lastTaskOfKind(store, UPDATE_KIND, 'database', databaseReference(row));
  if (last?.status === 'cancelled') return Math.abs(now() - (last.finished_at ?? 0)) < CANCELLED_MS;
  return last?.status === 'failed' && last.created_at >= builtAt;
}

/**
 * Returns whether the image of a database was built on this server. Only such images have the name
 * `davit/<engine>:<version>`.
 */
function isMadeHere(row: DatabaseRow): boolean {
  return isMadeEngine(row.engine) && row.image === madeReference(row.engine, row.version);
}
