import type { ResourceChange } from '@davit/api';
import { columnsOf, orNull, type Row, select, selectFrom, type With, withValues } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';

const s = columnsOf('object_stores', 's');
const STORE = select({
  ...s,
  project: orNull(columnsOf('projects', 'p').slug),
  environment: orNull(columnsOf('environments', 'e').slug),
});
const FROM = `object_stores s
  LEFT JOIN projects p ON p.id = s.project_id LEFT JOIN environments e ON e.id = s.environment_id`;
const NAME = selectFrom('object_stores', 'name');

type AnyRow = Row<typeof STORE>;

const OF_LINKED = ['provider'] as const;
const OF_MANAGED = [
  ...(['project_id', 'project', 'environment_id', 'environment', 'version', 'image'] as const),
  ...(['wanted', 'state', 'volume'] as const),
];

export type LinkedStoreRow = With<AnyRow, (typeof OF_LINKED)[number]> & { kind: 'linked' };
export type ManagedStoreRow = With<AnyRow, (typeof OF_MANAGED)[number]> & { kind: 'managed' };
export type StoreRow = LinkedStoreRow | ManagedStoreRow;

/**
 * Converts a row to the type of a linked (external) or managed object store.
 * @throws Error if a column that must be set for this kind of object store is `null`
 */
function storeOf(row: AnyRow): StoreRow {
  return row.kind === 'linked'
    ? { ...withValues(row, OF_LINKED), kind: row.kind }
    : { ...withValues(row, OF_MANAGED), kind: row.kind };
}

/**
 * Returns the object stores of projects, sorted by name.
 * @param projectIds ids of the projects. `null` returns all object stores, including object stores without a project.
 */
export function listObjectStores(db: Reader, projectIds: readonly number[] | null): StoreRow[] {
  const rows = db.all(
    STORE.from(`${FROM} WHERE ?1 IS NULL OR s.project_id IN (SELECT value FROM json_each(?1)) ORDER BY s.name`),
    projectIds === null ? null : JSON.stringify(projectIds),
  );
  return rows.map(storeOf);
}

export function storeByName(db: Reader, name: string): StoreRow | undefined {
  const row = db.get(STORE.from(`${FROM} WHERE s.name = ?`), name);
  return row && storeOf(row);
}

export function storeById(db: Reader, id: number): StoreRow | undefined {
  const row = db.get(STORE.from(`${FROM} WHERE s.id = ?`), id);
  return row && storeOf(row);
}

/**
 * Returns the names of the object stores of a project, sorted by name.
 * @param environmentId id of one environment, or `null` for the whole project
 */
export function storeNamesOfProject(db: Reader, projectId: number, environmentId: number | null): string[] {
  const rows = db.all(
    NAME.from('object_stores WHERE project_id = ?1 AND (?2 IS NULL OR environment_id = ?2) ORDER BY name'),
    projectId,
    environmentId,
  );
  return rows.map(({ name }) => name);
}

export type NewLinkedStore = Pick<LinkedStoreRow, 'name' | 'description' | 'provider' | 'project_id' | 'endpoint'> &
  Pick<LinkedStoreRow, 'public_endpoint' | 'region' | 'path_style' | 'bucket' | 'access_key' | 'public_only'> &
  Pick<LinkedStoreRow, 'checked_at' | 'created_at' | 'updated_at'>;

/**
 * Inserts a linked (external) object store and publishes an event.
 * @param seal encrypts the secret key. The encrypted key is valid only for the id of the new row.
 * @returns the id of the object store
 */
export function insertLinkedStore(tx: Tx, row: NewLinkedStore, seal: (id: number) => string): number {
  const id = insert(tx, 'object_stores', {
    kind: 'linked',
    name: row.name,
    description: row.description,
    provider: row.provider,
    project_id: row.project_id,
    endpoint: row.endpoint,
    public_endpoint: row.public_endpoint,
    region: row.region,
    path_style: row.path_style,
    bucket: row.bucket,
    access_key: row.access_key,
    secret_key: '',
    public_only: row.public_only,
    checked_at: row.checked_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  });
  update(tx, 'object_stores', id, { secret_key: seal(id) });
  publishStoreChange(tx, row, 'created');
  return id;
}

/** Updates the columns that exist for both linked (external) and managed object stores, and publishes an event. */
export function changeStore(tx: Tx, row: StoreRow): void {
  update(tx, 'object_stores', row.id, {
    description: row.description,
    endpoint: row.endpoint,
    public_endpoint: row.public_endpoint,
    region: row.region,
    path_style: row.path_style,
    bucket: row.bucket,
    access_key: row.access_key,
    secret_key: row.secret_key,
    public_only: row.public_only,
    checked_at: row.checked_at,
    updated_at: row.updated_at,
  });
  publishStoreChange(tx, row, 'changed');
}

/**
 * Records the time of the last successful check of an object store's access key. Publishes no event, because users
 * cannot see this time.
 */
export function noteStoreChecked(tx: Tx, id: number, at: number): void {
  update(tx, 'object_stores', id, { checked_at: at });
}

/** Deletes the row of a linked (external) object store, or of a managed object store whose data was deleted. */
export function deleteStoreRow(tx: Tx, row: StoreRow): void {
  tx.run('DELETE FROM object_stores WHERE id = ?', row.id);
  publishStoreChange(tx, row, 'deleted');
}

/** Publishes a change event for users who may see the object store. */
export function publishStoreChange(tx: Tx, row: Pick<StoreRow, 'name' | 'project_id'>, change: ResourceChange): void {
  tx.event({
    kind: 'resource',
    ...(row.project_id !== null && { projectId: row.project_id }),
    data: { kind: 'object_store', reference: row.name, change },
  });
}
