import type { Connection } from './connection.ts';
import { keyOf } from './repository.ts';

interface Named {
  owner_key: string;
  name_key: string;
  checked: number;
}

/**
 * Returns the id of the visible Git repository with this name, or `null`. Case is ignored. If several repositories have
 * the name, returns the repository that was checked last.
 */
export function repositoryNamed(db: Connection, owner: string, name: string): number | null {
  return holderOf(db, { owner_key: keyOf(owner), name_key: keyOf(name) });
}

/**
 * Publishes the name (`owner/name`) of a Git repository, or removes the name of a hidden repository.
 * @returns whether a lookup by the old or the new name now returns another result
 */
export function publishName(db: Connection, id: number): boolean {
  const before = db.get<Named>('SELECT owner_key, name_key, checked FROM published_repositories WHERE id = ?', id);
  const after = db.get<Named>(
    'SELECT owner_key, name_key, checked FROM repositories WHERE id = ? AND hidden IS NULL',
    id,
  );
  const names = [before, after].filter((named) => named !== undefined);
  const held = names.map((named) => holderOf(db, named));
  if (after) {
    db.run(
      'INSERT OR REPLACE INTO published_repositories (id, owner_key, name_key, checked) VALUES (?, ?, ?, ?)',
      id,
      after.owner_key,
      after.name_key,
      after.checked,
    );
  } else {
    db.run('DELETE FROM published_repositories WHERE id = ?', id);
  }
  return names.some((named, i) => holderOf(db, named) !== held[i]);
}

function holderOf(db: Connection, { owner_key, name_key }: Omit<Named, 'checked'>): number | null {
  const found = db.get<{ id: number }>(
    `SELECT id FROM published_repositories WHERE owner_key = ? AND name_key = ? ORDER BY checked DESC LIMIT 1`,
    owner_key,
    name_key,
  );
  return found?.id ?? null;
}
