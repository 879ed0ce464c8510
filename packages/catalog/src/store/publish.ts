import type { Connection } from './connection.ts';
import { notePass } from './pass.ts';
import { publishReleases, withdrawReleases } from './published-release.ts';
import { publishName } from './published-repository.ts';
import { isSameTemplate, notedTemplate, removeTemplate, shownTemplate, topicsOf, writeTemplate } from './template.ts';
import { countTopics } from './topic.ts';
import type { PassReport } from './types.ts';

/**
 * Shows readers what was noted since the last time. Only repositories that something was noted of are looked at, so that a
 * pass that finds little costs little. @returns the number of the index
 */
export function publish(db: Connection, report: PassReport): number {
  return db.transaction(() => {
    let isChanged = indexNumber(db) === null;
    for (const { id } of db.all<{ id: number }>('SELECT id FROM repositories WHERE is_changed = 1')) {
      if (publishRepository(db, id)) isChanged = true;
    }
    db.run('UPDATE repositories SET is_changed = 0 WHERE is_changed = 1');
    notePass(db, report);
    if (isChanged)
      db.run('INSERT INTO indexes (id, number) VALUES (1, 1) ON CONFLICT DO UPDATE SET number = number + 1');
    return indexNumber(db) ?? 0;
  });
}

/** Null: nothing was published yet. */
export function indexNumber(db: Connection): number | null {
  return db.get<{ number: number }>('SELECT number FROM indexes')?.number ?? null;
}

/** @returns whether readers see anything that they did not see before */
function publishRepository(db: Connection, id: number): boolean {
  const isVisible = db.get('SELECT 1 FROM repositories WHERE id = ? AND hidden IS NULL', id) !== undefined;
  const changes = [
    publishName(db, id),
    isVisible ? publishReleases(db, id) : withdrawReleases(db, id),
    publishTemplate(db, id),
  ];
  return changes.includes(true);
}

function publishTemplate(db: Connection, id: number): boolean {
  const before = shownTemplate(db, id);
  const after = notedTemplate(db, id);
  if (isSameTemplate(before, after)) return false;
  if (before) countTopics(db, topicsOf(before), -1);
  if (after) countTopics(db, topicsOf(after), 1);
  if (after) writeTemplate(db, after);
  else removeTemplate(db, id);
  return true;
}
