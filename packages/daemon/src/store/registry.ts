import type { Reader, Tx } from './store.ts';

export interface RegistryRow {
  id: number;
  /** Normalized; unique. */
  host: string;
  username: string;
  /** Sealed. */
  password: string;
  created_at: number;
  updated_at: number;
  /** When the registry last took the credentials; null: it was never asked. */
  checked_at: number | null;
}

const COLUMNS = 'id, host, username, password, created_at, updated_at, checked_at';

/** By host. */
export function listRegistries(db: Reader): RegistryRow[] {
  return db.all(`SELECT ${COLUMNS} FROM registries ORDER BY host`);
}

export function registryById(db: Reader, id: number): RegistryRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM registries WHERE id = ?`, id);
}

export function registryByHost(db: Reader, host: string): RegistryRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM registries WHERE host = ?`, host);
}

export function insertRegistry(tx: Tx, row: Omit<RegistryRow, 'id'>): number {
  const { id } = tx.run(
    'INSERT INTO registries (host, username, password, created_at, updated_at, checked_at) VALUES (?, ?, ?, ?, ?, ?)',
    row.host,
    row.username,
    row.password,
    row.created_at,
    row.updated_at,
    row.checked_at,
  );
  tell(tx);
  return id;
}

export function changeRegistry(tx: Tx, row: RegistryRow): void {
  tx.run(
    'UPDATE registries SET username = ?, password = ?, updated_at = ?, checked_at = ? WHERE id = ?',
    row.username,
    row.password,
    row.updated_at,
    row.checked_at,
    row.id,
  );
  tell(tx);
}

export function deleteRegistry(tx: Tx, id: number): void {
  tx.run('DELETE FROM registries WHERE id = ?', id);
  tell(tx);
}

/** That there is something new, and not of whom: credentials are an admin's. */
function tell(tx: Tx): void {
  tx.event({ kind: 'instance', data: { change: 'registries' } });
}
