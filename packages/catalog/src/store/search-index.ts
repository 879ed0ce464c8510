import type { Connection } from './connection.ts';
import { fold, foldName } from './fold.ts';
import { gramsOf } from './gram.ts';
import type { Order } from './orders.ts';
import type { Touched } from './position.ts';
import type { TemplateRow } from './template.ts';
import { topicToken } from './topic.ts';

/**
 * Returns the n-grams (pieces of one to three characters) of a template's name and description for the search index.
 */
export function gramsOfTemplate({ name, description }: Pick<TemplateRow, 'name' | 'description'>): Set<string> {
  return gramsOf(fold(description), gramsOf(foldName(name)));
}

/**
 * Updates the full-text index of one template list. Only templates with a changed rank or changed texts are updated.
 */
export function updateSearchIndex(db: Connection, order: Order, { left, entered }: Touched): void {
  // Rows are changed in ascending order. Otherwise, SQLite's full-text index (FTS5) would create many small segments.
  for (const rank of ascending(left)) db.run(`DELETE FROM ${order.name}_grams WHERE rowid = ?`, BigInt(rank));
  for (const rank of ascending(entered)) {
    const row = db.get<{ name: string; description: string; topics: string }>(
      `SELECT p.name, p.description, t.topics FROM ${order.name}_places p JOIN templates t ON t.id = p.id WHERE rank = ?`,
      rank,
    );
    if (row) db.run(`INSERT INTO ${order.name}_grams (rowid, grams) VALUES (?, ?)`, BigInt(rank), tokens(db, row));
  }
}

function tokens(db: Connection, row: { name: string; description: string; topics: string }): string {
  const topics = (JSON.parse(row.topics) as string[]).map((topic) => topicToken(db, topic));
  return [...gramsOf(row.description, gramsOf(row.name)), ...topics].join(' ');
}

function ascending(ranks: ReadonlySet<number>): number[] {
  return [...ranks].sort((a, b) => a - b);
}
