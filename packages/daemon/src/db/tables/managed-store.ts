import type { ResourceChange } from '@davit/api';
import { columnsOf, pick, type Row, select, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';
import { type ManagedStoreRow, publishStoreChange, storeById, storeByName } from './object-store.ts';

const ID = selectFrom('object_stores', 'id');
const NAMED = select({
  ...pick(columnsOf('object_stores', 's'), 'name, address'),
  environment_id: columnsOf('environments', 'e').id,
  environment: columnsOf('environments', 'e').slug,
  project: columnsOf('projects', 'p').slug,
});

/**
 * Returns an object store that the instance runs. Returns `null` if no object store has this id, or if the object store
 * is a linked (external) one.
 */
export function managedStoreById(db: Reader, id: number): ManagedStoreRow | null {
  const row = storeById(db, id);
  return row?.kind === 'managed' ? row : null;
}

/** Returns the object store with this name. Ignores linked (external) object stores and object stores in the trash. */
export function managedStoreByName(db: Reader, name: string): ManagedStoreRow | undefined {
  const row = storeByName(db, name);
  return row?.kind === 'managed' && row.deleted_at === null ? row : undefined;
}

/** Returns all object stores that the instance runs, including object stores in the trash. */
export function allManagedStores(db: Reader): ManagedStoreRow[] {
  const ids = db.all(ID.from("object_stores WHERE kind = 'managed' ORDER BY id"));
  return ids.flatMap(({ id }) => managedStoreById(db, id) ?? []);
}

export function storeByPort(db: Reader, port: number): ManagedStoreRow | null {
  const found = db.get(ID.from('object_stores WHERE port = ?'), port);
  return found === undefined ? null : managedStoreById(db, found.id);
}

/**
 * Returns the object stores that have a DNS name for apps. Such an object store should be running, and has a container
 * and an IP address.
 */
export function namedStores(db: Reader): Row<typeof NAMED>[] {
  return db.all(
    NAMED.from(`object_stores s JOIN environments e ON e.id = s.environment_id JOIN projects p ON p.id = s.project_id
     WHERE s.deleted_at IS NULL AND s.state = 'made' AND s.wanted = 'running' AND s.address IS NOT NULL
       AND s.container_id IS NOT NULL ORDER BY s.id`),
  );
}

export type NewManagedStore = Pick<
  ManagedStoreRow,
  | 'name'
  | 'description'
  | 'project_id'
  | 'environment_id'
  | 'endpoint'
  | 'region'
  | 'access_key'
  | 'version'
  | 'image'
  | 'cpu'
  | 'memory_bytes'
> & { at: number };

/**
 * Columns of a new object store that are set after its row was inserted. The values of these columns depend on the id
 * of the row.
 */
export type NumberedStoreParts = Pick<ManagedStoreRow, 'secret_key' | 'volume'>;

export function insertManagedStore(
  tx: Tx,
  made: NewManagedStore,
  partsOf: (id: number) => NumberedStoreParts,
): ManagedStoreRow {
  const id = insert(tx, 'object_stores', {
    kind: 'managed',
    name: made.name,
    description: made.description,
    project_id: made.project_id,
    environment_id: made.environment_id,
    endpoint: made.endpoint,
    region: made.region,
    path_style: 1,
    access_key: made.access_key,
    secret_key: '',
    version: made.version,
    image: made.image,
    cpu: made.cpu,
    memory_bytes: made.memory_bytes,
    wanted: 'running',
    state: 'making',
    created_at: made.at,
    updated_at: made.at,
  });
  setManagedStore(tx, id, partsOf(id), { change: 'created' });
  const row = managedStoreById(tx, id);
  if (row === null) throw new Error(`The database does not return the new object store ${id}.`);
  return row;
}

export type ManagedStoreChange = Partial<
  Pick<
    ManagedStoreRow,
    | 'project_id'
    | 'environment_id'
    | 'description'
    | 'secret_key'
    | 'volume'
    | 'cpu'
    | 'memory_bytes'
    | 'wanted'
    | 'state'
    | 'generation'
    | 'address'
    | 'container_id'
    | 'applied'
    | 'container_limits'
    | 'image_id'
    | 'observed'
    | 'reason'
    | 'port'
    | 'deleted_at'
    | 'expires_at'
  >
>;

/**
 * Updates columns of an object store's row.
 * @param event event to publish. Omit this parameter for a change that users cannot see.
 */
export function setManagedStore(
  tx: Tx,
  id: number,
  change: ManagedStoreChange,
  event?: { change: ResourceChange; at?: number },
): void {
  update(tx, 'object_stores', id, { ...change, ...(event?.at !== undefined && { updated_at: event.at }) });
  const row = event && storeById(tx, id);
  if (row !== undefined) publishStoreChange(tx, row, event?.change ?? 'changed');
}
