import type { KnownRepository, SourceRepository } from '../source/source.ts';
import type { Connection } from './connection.ts';
import type { Hidden } from './types.ts';

/** Returns the database key of an owner or a Git repository. The key ignores case. */
export function keyOf(text: string): string {
  return text.toLowerCase();
}

export function knownRepositories(db: Connection): KnownRepository[] {
  return db
    .all<{ id: number; node_id: string | null; owner: string; name: string }>(
      'SELECT id, node_id, owner, name FROM repositories ORDER BY id',
    )
    .map(({ id, node_id, owner, name }) => ({ id, nodeId: node_id, owner, name }));
}

const SOURCE_COLUMNS = [
  'node_id',
  'owner',
  'owner_id',
  'name',
  'owner_key',
  'name_key',
  'description',
  'url',
  'avatar_url',
  'stars',
  'topics',
  'hidden',
];

/**
 * Saves a Git repository if its data has changed, or if another repository with the same name has a higher `checked`.
 * `checked` increases with each save. A name belongs to the repository with the highest `checked`.
 */
const SAVE = `
  INSERT INTO repositories (id, ${SOURCE_COLUMNS}, checked, is_changed)
  VALUES (?, ${SOURCE_COLUMNS.map(() => '?')}, (SELECT coalesce(max(checked), 0) + 1 FROM repositories), 1)
  ON CONFLICT (id) DO UPDATE SET ${SOURCE_COLUMNS.map((column) => `${column} = excluded.${column}`)},
    checked = excluded.checked, is_changed = 1
  WHERE (${SOURCE_COLUMNS.map((column) => `repositories.${column}`)}) IS NOT (${SOURCE_COLUMNS.map((column) => `excluded.${column}`)})
     OR EXISTS (SELECT 1 FROM repositories o WHERE o.owner_key = excluded.owner_key AND o.name_key = excluded.name_key
                   AND o.checked > repositories.checked)`;

export function saveRepository(db: Connection, repository: SourceRepository, hidden: Hidden | null): void {
  const topics = [...new Set(repository.topics)].sort(byCodePoint);
  db.run(
    SAVE,
    repository.id,
    repository.nodeId,
    repository.owner,
    repository.ownerId,
    repository.name,
    keyOf(repository.owner),
    keyOf(repository.name),
    repository.description,
    repository.url,
    repository.avatarUrl,
    repository.stars,
    JSON.stringify(topics),
    hidden,
  );
}

export function hideRepository(db: Connection, id: number, hidden: Hidden): void {
  db.run('UPDATE repositories SET hidden = ?, is_changed = 1 WHERE id = ? AND hidden IS NOT ?', hidden, id, hidden);
}

export function markChanged(db: Connection, id: number): void {
  db.run('UPDATE repositories SET is_changed = 1 WHERE id = ? AND is_changed = 0', id);
}

/**
 * Compares texts by code point. JavaScript compares UTF-16 units, which gives another order for characters above
 * U+FFFF.
 */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
