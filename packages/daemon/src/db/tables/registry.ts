import { columnsOf, orNull, pick, type Row, select, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';

const PROJECTS = 'SELECT json_group_array(project_id) FROM registry_projects WHERE registry_id = registries.id';
const REGISTRY = select({
  ...pick(columnsOf('registries'), 'id, host, all_projects'),
  /** Ids of the projects that may use the credentials, as a JSON array. `null` means all projects. */
  projects: orNull(sql.text(`CASE all_projects WHEN 1 THEN NULL ELSE (${PROJECTS}) END`)),
  ...pick(columnsOf('registries'), 'username, password, created_at, updated_at, checked_at'),
});

export type RegistryRow = Row<typeof REGISTRY>;

/**
 * Returns the credentials for external registries, sorted by host. For each host, the first row contains the
 * credentials for all projects.
 */
export function listRegistries(db: Reader): RegistryRow[] {
  return db.all(REGISTRY.from('registries ORDER BY host, all_projects DESC, id'));
}

export function registryById(db: Reader, id: number): RegistryRow | undefined {
  return db.get(REGISTRY.from('registries WHERE id = ?'), id);
}

/** Returns the ids of the projects that may use the credentials, or `null` for all projects. */
export function projectsOfRegistry({ projects }: Pick<RegistryRow, 'projects'>): number[] | null {
  return projects === null ? null : (JSON.parse(projects) as number[]);
}

/**
 * Inserts credentials for an external registry.
 * @param projects ids of the projects, or `null` for all projects
 * @param seal encrypts the password. The encrypted password is valid only for the id of the new row.
 */
export function insertRegistry(
  tx: Tx,
  row: Omit<RegistryRow, 'id' | 'password' | 'all_projects' | 'projects'>,
  projects: readonly number[] | null,
  seal: (row: Pick<RegistryRow, 'id' | 'host' | 'all_projects'>) => string,
): RegistryRow {
  const all_projects = projects === null ? 1 : 0;
  const id = insert(tx, 'registries', {
    host: row.host,
    all_projects,
    username: row.username,
    password: '',
    created_at: row.created_at,
    updated_at: row.updated_at,
    checked_at: row.checked_at,
  });
  const password = seal({ id, host: row.host, all_projects });
  const ids = projects === null ? null : JSON.stringify(projects);
  const inserted = { ...row, id, all_projects, projects: ids, password } as const;
  changeRegistry(tx, inserted);
  return inserted;
}

export function changeRegistry(tx: Tx, row: RegistryRow): void {
  update(tx, 'registries', row.id, {
    all_projects: row.all_projects,
    username: row.username,
    password: row.password,
    updated_at: row.updated_at,
    checked_at: row.checked_at,
  });
  tx.run('DELETE FROM registry_projects WHERE registry_id = ?', row.id);
  for (const project of projectsOfRegistry(row) ?? [])
    insert(tx, 'registry_projects', { host: row.host, project_id: project, registry_id: row.id });
  publishChange(tx);
}

export function deleteRegistry(tx: Tx, id: number): void {
  tx.run('DELETE FROM registry_projects WHERE registry_id = ?', id);
  tx.run('DELETE FROM registries WHERE id = ?', id);
  publishChange(tx);
}

/**
 * Removes a project from registry credentials. If no other project uses the credentials, they are deleted. Otherwise,
 * unused credentials could become available to other projects.
 */
export function forgetRegistriesOf(tx: Tx, projectId: number): void {
  const { changes } = tx.run('DELETE FROM registry_projects WHERE project_id = ?', projectId);
  if (changes === 0) return;
  tx.run('DELETE FROM registries WHERE all_projects = 0 AND id NOT IN (SELECT registry_id FROM registry_projects)');
  publishChange(tx);
}

/**
 * Publishes an event after a change of registry credentials. The event does not contain the registry's name, because
 * only admins may see registry credentials.
 */
function publishChange(tx: Tx): void {
  tx.event({ kind: 'instance', data: { change: 'registries' } });
}
