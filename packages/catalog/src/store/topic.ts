import type { Connection } from './connection.ts';

/** Every topic of a listed template, in the order of code points, which is how SQLite compares. */
export function topicsShown(db: Connection): string[] {
  return db
    .all<{ topic: string }>('SELECT topic FROM topics WHERE templates > 0 ORDER BY topic')
    .map(({ topic }) => topic);
}

/** The number that stands for a topic in the indexes; null: no template ever carried it. */
export function topicId(db: Connection, topic: string): number | null {
  return db.get<{ id: number }>('SELECT id FROM topics WHERE topic = ?', topic)?.id ?? null;
}

/** Counts one template more, or one less, with each of these. */
export function countTopics(db: Connection, topics: readonly string[], by: 1 | -1): void {
  for (const topic of topics) {
    db.run(
      'INSERT INTO topics (topic, templates) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET templates = templates + ?2',
      topic,
      by,
    );
  }
}
