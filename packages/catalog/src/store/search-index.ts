import type { Connection } from './connection.ts';
import { fold, foldName } from './fold.ts';
import { gramsOf } from './gram.ts';
import type { Order } from './orders.ts';
import type { Touched } from './place.ts';
import type { TemplateRow } from './template.ts';
import { topicToken } from './topic.ts';

/** Returns the grams (pieces of one to three characters) of a template's name and description for the search index. */
export function gramsOfTemplate({ name, description }: Pick<TemplateRow, 'name' | 'description'>): Set<string> {
  return gramsOf(fold(description), gramsOf(foldName(name)));
}

/** Updates the full-text index of one template list. Only templates whose rank or texts changed are updated. */
export function indexPlaces(db: Connection, order: Order, { left, entered }: Touched): void {
  // Changes rows in ascending order. Otherwise, SQLite's full-text index (FTS5) would create many small segments.
  for (const rank of ascending(left)) db.run(`DELETE FROM ${order.name}_grams WHERE rowid = ?`, BigInt(rank));
  for (const rank of ascending(entered)) {
    const place = db.get<{ name: string; description: string; topics: string }>(
      `SELECT p.name, p.description, t.topics FROM ${order.name}_places p JOIN templates t ON t.id = p.id WHERE rank = ?`,
      rank,
    );
    if (place) db.run(`INSERT INTO ${order.name}_grams (rowid, grams) VALUES (?, ?)`, BigInt(rank), tokens(db, place));
  }
}

function tokens(db: Connection, place: { name: string; description: string; topics: string }): string {
  const topics = (JSON.parse(place.topics) as string[]).map((topic) => topicToken(db, topic));
  return [...gramsOf(place.description, gramsOf(place.name)), ...topics].join(' ');
}

function ascending(ranks: ReadonlySet<number>): number[] {
  return [...ranks].sort((a, b) => a - b);
}
