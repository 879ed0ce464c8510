import type { Connection } from './connection.ts';

export function hasIcon(db: Connection, hash: string): boolean {
  return db.get('SELECT 1 FROM icons WHERE hash = ?', hash) !== undefined;
}

export function saveIcon(db: Connection, hash: string, png: Uint8Array): void {
  db.run('INSERT INTO icons (hash, png) VALUES (?, ?) ON CONFLICT DO NOTHING', hash, png);
}

/** Returns the icon of an accepted release as PNG. Returns `null` if the icon is unknown or the template is hidden. */
export function iconOf(db: Connection, repository: number, commit: string): Uint8Array | null {
  const found = db.get<{ png: Uint8Array }>(
    `SELECT i.png FROM published_releases r JOIN icons i ON i.hash = r.icon
      WHERE r.repository_id = ? AND r.commit_id = ? AND r.status = 'accepted' ORDER BY r.id DESC LIMIT 1`,
    repository,
    commit,
  );
  return found?.png ?? null;
}
