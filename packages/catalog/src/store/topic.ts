import type { Connection } from './connection.ts';
import { ORDERS, type Order, spotOf } from './orders.ts';
import type { TemplateRow } from './template.ts';

/** A topic of listed templates. */
export interface TopicRow {
  id: number;
  /** How many carry it. */
  templates: number;
}

/** Every topic of a listed template, in the order of code points, which is how SQLite compares. */
export function topicsShown(db: Connection): string[] {
  return db
    .all<{ topic: string }>('SELECT topic FROM topics WHERE templates > 0 ORDER BY topic')
    .map(({ topic }) => topic);
}

/** Undefined: no template ever carried it. */
export function topicNamed(db: Connection, topic: string): TopicRow | undefined {
  return db.get<TopicRow>('SELECT id, templates FROM topics WHERE topic = ?', topic);
}

/** The topic among the grams: longer than any of them. */
export function topicToken(db: Connection, topic: string): string {
  return `topic${topicNamed(db, topic)?.id}`;
}

/** Lists a template under its topics as they are now, and no more under those it had. */
export function publishTopics(db: Connection, before: TemplateRow | null, after: TemplateRow | null): void {
  const [old, now] = [topicsOf(before), topicsOf(after)];
  for (const topic of old.filter((one) => !now.includes(one))) countTopic(db, topic, -1);
  for (const topic of now.filter((one) => !old.includes(one))) countTopic(db, topic, 1);
  for (const order of Object.values(ORDERS)) {
    if (before?.[order.key] === after?.[order.key] && before?.topics === after?.topics) continue;
    for (const topic of old) changeListing(db, 'DELETE', order, before as TemplateRow, topic);
    for (const topic of now) changeListing(db, 'INSERT', order, after as TemplateRow, topic);
  }
}

function topicsOf(row: TemplateRow | null): string[] {
  return row === null ? [] : (JSON.parse(row.topics) as string[]);
}

function countTopic(db: Connection, topic: string, by: 1 | -1): void {
  db.run(
    'INSERT INTO topics (topic, templates) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET templates = templates + ?2',
    topic,
    by,
  );
}

function changeListing(db: Connection, how: 'INSERT' | 'DELETE', order: Order, row: TemplateRow, topic: string): void {
  const { key, id } = spotOf(order, row);
  const number = topicNamed(db, topic)?.id ?? null;
  const sql =
    how === 'INSERT'
      ? `INSERT INTO ${order.name}_topics (topic, key, id) VALUES (?, ?, ?)`
      : `DELETE FROM ${order.name}_topics WHERE topic = ? AND key = ? AND id = ?`;
  db.run(sql, number, key, id);
}
