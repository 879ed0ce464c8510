import type { Connection } from './connection.ts';
import { spaced } from './fold.ts';
import { gramCount, gramsOfQuery } from './gram.ts';
import { ORDERS, type Order } from './orders.ts';
import { rankAfter } from './position.ts';
import { type TopicRow, topicNamed } from './topic.ts';
import type { ListedTemplate, ListPage, ListQuery, Position } from './types.ts';

/**
 * If a search has at most this number of candidates, the full-text query uses only one n-gram. Comparing the texts of
 * so few candidates is faster than a query with more n-grams.
 */
const FEW = 500;

/** Maximum number of n-grams in a full-text query. More n-grams make the query slower. */
const GRAMS = 4;

/**
 * Position before the first template of a list. Lists are sorted in descending order, so the sort key and the id of
 * this position are the largest possible numbers.
 */
const START: Position = { key: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

/** Returns one page of templates. If there is a next page, also returns the position of the last template. */
export function listTemplates(db: Connection, { q, tag, sort, limit, after }: ListQuery): ListPage {
  const order = ORDERS[sort];
  const topic = tag === null ? null : topicNamed(db, tag);
  const isNone = topic === undefined || topic?.templates === 0;
  // The query reads one row more than the page needs. The additional row shows that there is another page.
  const page = { order, after: after ?? START, rows: limit + 1 };
  const rows = isNone ? [] : q !== null && q !== '' ? search(db, page, q, topic) : browse(db, page, topic);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    templates: shown.map(({ item }) => JSON.parse(item) as ListedTemplate),
    next: last && rows.length > limit ? { key: last.key, id: last.id } : null,
  };
}

/** Row of a template list: the data of a template and its position in the list. */
interface ListRow extends Position {
  /** Data of the template: a `ListedTemplate` as JSON. */
  item: string;
}

interface Page {
  order: Order;
  after: Position;
  rows: number;
}

function browse(db: Connection, page: Page, topic: TopicRow | null): ListRow[] {
  if (topic) return browseTopic(db, page, topic);
  const from = rankAfter(db, page.order, page.after);
  if (from === null) return [];
  const { name } = page.order;
  return db.all<ListRow>(
    `SELECT p.key, p.id, i.item FROM ${name}_places p CROSS JOIN ${name}_items i ON i.rank = p.rank
      WHERE p.rank >= ? ORDER BY p.rank LIMIT ?`,
    from,
    page.rows,
  );
}

function browseTopic(db: Connection, { order, after, rows }: Page, topic: TopicRow): ListRow[] {
  return db.all<ListRow>(
    `SELECT p.key, p.id, i.item FROM ${order.name}_topics l
       CROSS JOIN ${order.name}_places p ON p.key = l.key AND p.id = l.id
       CROSS JOIN ${order.name}_items i ON i.rank = p.rank
      WHERE l.topic = ? AND (l.key, l.id) < (?, ?) ORDER BY l.key DESC, l.id DESC LIMIT ?`,
    topic.id,
    after.key,
    after.id,
    rows,
  );
}

function search(db: Connection, { order, after, rows }: Page, q: string, topic: TopicRow | null): ListRow[] {
  const match = candidates(db, q, topic);
  const from = match && rankAfter(db, order, after);
  if (match === null || from === null) return [];
  return db.all<ListRow>(
    `SELECT p.key, p.id, i.item FROM ${order.name}_grams g CROSS JOIN ${order.name}_places p ON p.rank = g.rowid
       CROSS JOIN ${order.name}_items i ON i.rank = p.rank
      WHERE g.${order.name}_grams MATCH ?1 AND g.rowid >= ?2 AND (instr(p.name, ?3) OR instr(p.description, ?4))
      ORDER BY g.rowid LIMIT ?5`,
    match,
    /*
     * A BigInt is necessary, because `node:sqlite` binds numbers as floats, and SQLite cannot look up a row id by a
     * float.
     */
    BigInt(from),
    spaced(q),
    q,
    rows,
  );
}

/**
 * Returns a full-text query that finds candidates for a search. The candidates include every matching template, but
 * also templates that do not match. Returns `null` if no template can match.
 */
function candidates(db: Connection, q: string, topic: TopicRow | null): string | null {
  const grams = gramsOfQuery(q).map((gram, at) => ({ gram, at, count: gramCount(db, gram) }));
  grams.sort((a, b) => a.count - b.count);
  const rarest = grams[0];
  if (!rarest || rarest.count === 0) return null;
  const chosen: typeof grams = [];
  const wanted = Math.min(rarest.count, topic?.templates ?? rarest.count) > FEW ? GRAMS : 1;
  for (const gram of grams) {
    if (chosen.length === wanted) break;
    // Overlapping pieces (n-grams) of the search text are skipped, because they usually match the same templates.
    if (!chosen.some(({ at }) => Math.abs(at - gram.at) < 2)) chosen.push(gram);
  }
  const tokens = chosen.map(({ gram }) => `"${gram}"`);
  if (topic) tokens.push(`topic${topic.id}`);
  return tokens.join(' AND ');
}
