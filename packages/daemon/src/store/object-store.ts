import type { StoreProviderCode } from '@davit/api';
import type { Reader, Tx } from './store.ts';

interface AnyStoreRow {
  id: number;
  name: string;
  description: string;
  /** Null: of no project, and so for who sees every one. */
  project_id: number | null;
  project: string | null;
  endpoint: string;
  public_endpoint: string | null;
  region: string;
  path_style: number;
  /** The one bucket that its keys are for; null: all that they may see. */
  bucket: string | null;
  access_key: string;
  /** Sealed. */
  secret_key: string;
  checked_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface LinkedStoreRow extends AnyStoreRow {
  kind: 'linked';
  provider: StoreProviderCode;
}

export interface ManagedStoreRow extends AnyStoreRow {
  kind: 'managed';
  project_id: number;
  project: string;
  environment_id: number;
  environment: string;
  version: string;
  image: string;
  cpu: number | null;
  memory_bytes: number | null;
  wanted: 'running' | 'stopped';
  state: 'making' | 'made' | 'failed';
  /** Numbers its containers. */
  generation: number;
  /** The engine's name of its data. */
  volume: string;
  /** On its environment's network; null until it was first given one. */
  address: string | null;
  container_id: string | null;
  /** Null until it was found or pulled. */
  image_id: string | null;
  /** What its container was made with. */
  applied: string | null;
  /** What was last seen of it; null: nothing yet. */
  observed: 'up' | 'silent' | 'down' | null;
  /** Why it is not as it should be, in a sentence. */
  reason: string | null;
  /** Of the machine; null: it is not exposed. */
  port: number | null;
  deleted_at: number | null;
  expires_at: number | null;
}

export type StoreRow = LinkedStoreRow | ManagedStoreRow;

const SELECT = `SELECT s.*, p.slug AS project, e.slug AS environment FROM object_stores s
  LEFT JOIN projects p ON p.id = s.project_id LEFT JOIN environments e ON e.id = s.environment_id`;

/** By name. Those of the projects with these ids; all of them, and those of no project, for null. */
export function listStores(db: Reader, projectIds: readonly number[] | null): StoreRow[] {
  return db.all(
    `${SELECT} WHERE ?1 IS NULL OR s.project_id IN (SELECT value FROM json_each(?1)) ORDER BY s.name`,
    projectIds === null ? null : JSON.stringify(projectIds),
  );
}

export function storeByName(db: Reader, name: string): StoreRow | undefined {
  return db.get(`${SELECT} WHERE s.name = ?`, name);
}

export function storeById(db: Reader, id: number): StoreRow | undefined {
  return db.get(`${SELECT} WHERE s.id = ?`, id);
}

/** The names of those that a project has, or one environment of it. */
export function storesOfPlace(db: Reader, projectId: number, environmentId: number | null): string[] {
  const rows = db.all<{ name: string }>(
    'SELECT name FROM object_stores WHERE project_id = ?1 AND (?2 IS NULL OR environment_id = ?2) ORDER BY name',
    projectId,
    environmentId,
  );
  return rows.map(({ name }) => name);
}

export type NewLinkedStore = Omit<LinkedStoreRow, 'id' | 'kind' | 'project' | 'secret_key'>;

/** @param seal seals the key for the store's number */
export function insertLinkedStore(tx: Tx, row: NewLinkedStore, seal: (id: number) => string): number {
  const { id } = tx.run(
    `INSERT INTO object_stores (kind, name, description, provider, project_id, endpoint, public_endpoint, region, path_style,
       bucket, access_key, secret_key, checked_at, created_at, updated_at)
     VALUES ('linked', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?)`,
    row.name,
    row.description,
    row.provider,
    row.project_id,
    row.endpoint,
    row.public_endpoint,
    row.region,
    row.path_style,
    row.bucket,
    row.access_key,
    row.checked_at,
    row.created_at,
    row.updated_at,
  );
  tx.run('UPDATE object_stores SET secret_key = ? WHERE id = ?', seal(id), id);
  tell(tx, row, 'created');
  return id;
}

/** What of any store changes by being changed, linked or not. */
export function changeStore(tx: Tx, row: StoreRow): void {
  tx.run(
    `UPDATE object_stores SET description = ?, endpoint = ?, public_endpoint = ?, region = ?, path_style = ?, bucket = ?,
       access_key = ?, secret_key = ?, checked_at = ?, updated_at = ? WHERE id = ?`,
    row.description,
    row.endpoint,
    row.public_endpoint,
    row.region,
    row.path_style,
    row.bucket,
    row.access_key,
    row.secret_key,
    row.checked_at,
    row.updated_at,
    row.id,
  );
  tell(tx, row, 'changed');
}

/** That it took the keys, which is no change of it. */
export function noteStoreChecked(tx: Tx, id: number, at: number): void {
  tx.run('UPDATE object_stores SET checked_at = ? WHERE id = ?', at, id);
}

/** For one that is somebody else's, or whose data is gone. */
export function deleteStoreRow(tx: Tx, row: StoreRow): void {
  tx.run('DELETE FROM object_stores WHERE id = ?', row.id);
  tell(tx, row, 'deleted');
}

/** Told to those who see it. */
export function tell(tx: Tx, row: Pick<StoreRow, 'name' | 'project_id'>, change: string): void {
  tx.event({
    kind: 'resource',
    ...(row.project_id !== null && { projectId: row.project_id }),
    data: { kind: 'store', reference: row.name, change },
  });
}
