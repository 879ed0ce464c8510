import type { Connection } from './connection.ts';

export function blockedSubjects(db: Connection): Set<string> {
  return new Set(db.all<{ subject: string }>('SELECT subject FROM blocks').map(({ subject }) => subject));
}

/**
 * Blocks an owner or a Git repository, so that the catalog does not list its templates.
 * @param subject `owner` or `owner/name`. Case is ignored
 */
export function block(db: Connection, subject: string, reason: string): void {
  db.run(
    'INSERT INTO blocks (subject, reason) VALUES (?, ?) ON CONFLICT DO UPDATE SET reason = excluded.reason',
    subject.toLowerCase(),
    reason,
  );
}

export function unblock(db: Connection, subject: string): void {
  db.run('DELETE FROM blocks WHERE subject = ?', subject.toLowerCase());
}
