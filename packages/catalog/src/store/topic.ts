import type { Connection } from './connection.ts';
import { ORDERS, type Order, spotOf } from './orders.ts';
import type { TemplateRow } from './template.ts';

export interface TopicRow {
  id: number;
  /** Number of listed templates that have this topic. */
  templates: number;
}

/** Returns all topics of listed templates, sorted by code point. */
export function topicsShown(db: Connection): string[] {
  return db
    .all<{ topic: string }>('SELECT topic FROM topics WHERE templates > 0 ORDER BY topic')
    .map(({ topic }) => topic);
}

/** Returns the row of a topic. Returns `undefined` if no listed template has ever had the topic. */
export function topicNamed(db: Connection, topic: string): TopicRow | undefined {
  return db.get<TopicRow>('SELECT id, templates FROM topics WHERE topic = ?', topic);
}

/**
 * Returns the word for a topic in the full-text index, such as `topic12`. No other indexed word equals it, because
 * texts are indexed in pieces of at most three characters.
 */
export function topicToken(db: Connection, topic: string): string {
  return `topic${topicNamed(db, topic)?.id}`;
}

/** Moves a template from the lists of its old topics to the lists of its new topics. */
export function publishTopics(db: Connection, before: TemplateRow | null, after: TemplateRow | null): void {
  const changed = Object.values(ORDERS).filter(
    ({ key }) => before?.[key] !== after?.[key] || before?.topics !== after?.topics,
  );
  if (changed.length === 0) return;
  for (const topic of topicsOf(before)) {
    const id = countTopic(db, topic, -1);
    for (const order of changed) unlist(db, order, id, before as TemplateRow);
  }
  for (const topic of topicsOf(after)) {
    const id = countTopic(db, topic, 1);
    for (const order of changed) list(db, order, id, after as TemplateRow);
  }
}

function topicsOf(row: TemplateRow | null): string[] {
  return row === null ? [] : (JSON.parse(row.topics) as string[]);
}

/**
 * Adds `by` (1 or -1) to the saved number of templates that have the given topic.
 * @returns the id of the topic
 */
function countTopic(db: Connection, topic: string, by: 1 | -1): number {
  const counted = db.get<TopicRow>(
    `INSERT INTO topics (topic, templates) VALUES (?1, ?2)
     ON CONFLICT DO UPDATE SET templates = templates + ?2 RETURNING id, templates`,
    topic,
    by,
  );
  return (counted as TopicRow).id;
}

function list(db: Connection, order: Order, topic: number, row: TemplateRow): void {
  const { key, id } = spotOf(order, row);
  db.run(`INSERT INTO ${order.name}_topics (topic, key, id) VALUES (?, ?, ?)`, topic, key, id);
}

function unlist(db: Connection, order: Order, topic: number, row: TemplateRow): void {
  const { key, id } = spotOf(order, row);
  db.run(`DELETE FROM ${order.name}_topics WHERE topic = ? AND key = ? AND id = ?`, topic, key, id);
}
