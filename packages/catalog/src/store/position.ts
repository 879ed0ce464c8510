import type { Connection } from './connection.ts';
import { fold, foldName } from './fold.ts';
import { bySpot, GAP, type Order, type Spot } from './orders.ts';
import { listedTemplate, shownTemplate, type TemplateRow } from './template.ts';

interface RankedSpot extends Spot {
  rank: number;
}

interface Texts {
  name: string;
  description: string;
}

/**
 * Row ids of a template list that must be removed from the full-text index (`left`) or added to the index (`entered`).
 */
export interface Touched {
  left: Set<number>;
  entered: Set<number>;
}

/** Position of a template in a sorted list before and after an update of the index. */
export interface Move {
  before: Spot;
  after: Spot;
  /** Whether the searchable texts of the template changed. The full-text index must then be updated. */
  hasOtherTexts: boolean;
}

/**
 * Maximum share of used row ids in a range that gets new row ids. When the range is doubled, the share is divided by
 * `narrow`. The share is at least 1/`wide`.
 */
const SPREAD = { narrow: 1.4, wide: 16 };

/**
 * Returns the row id (`rank`) of the next template after a position in a sorted list. Returns `null` at the end of the
 * list.
 */
export function rankAfter(db: Connection, order: Order, { key, id }: Spot): number | null {
  const found = db.get<{ rank: number }>(
    `SELECT rank FROM ${order.name}_places WHERE (key, id) < (?, ?) ORDER BY key DESC, id DESC LIMIT 1`,
    key,
    id,
  );
  return found?.rank ?? null;
}

/** Removes a template from one sorted template list, such as the list that is sorted by stars. */
export function leave(db: Connection, order: Order, spot: Spot, touched: Touched): void {
  const found = db.get<{ rank: number }>(
    `DELETE FROM ${order.name}_places WHERE key = ? AND id = ? RETURNING rank`,
    spot.key,
    spot.id,
  );
  if (!found) return;
  db.run(`DELETE FROM ${order.name}_items WHERE rank = ?`, found.rank);
  touchLeft(touched, found.rank);
}

/**
 * Updates a template in a sorted list if the template keeps its position. For example, the template before it still has
 * more stars.
 * @returns `false` if the template must move. In this case, the list is unchanged
 */
export function stay(db: Connection, order: Order, { before, after, hasOtherTexts }: Move, touched: Touched): boolean {
  const table = `${order.name}_places`;
  const rank = db.get<RankedSpot>(`SELECT rank FROM ${table} WHERE key = ? AND id = ?`, before.key, before.id)?.rank;
  if (rank === undefined) return false;
  const columns = 'rank, key, id';
  const above = db.get<RankedSpot>(`SELECT ${columns} FROM ${table} WHERE rank < ? ORDER BY rank DESC LIMIT 1`, rank);
  const below = db.get<RankedSpot>(`SELECT ${columns} FROM ${table} WHERE rank > ? ORDER BY rank LIMIT 1`, rank);
  if ((above && bySpot(above, after) > 0) || (below && bySpot(after, below) > 0)) return false;
  const { name, description } = textsOf(db, after.id);
  db.run(`UPDATE ${table} SET key = ?, name = ?, description = ? WHERE rank = ?`, after.key, name, description, rank);
  showItem(db, order, rank, after.id);
  if (hasOtherTexts) {
    touchLeft(touched, rank);
    touched.entered.add(rank);
  }
  return true;
}

/**
 * Inserts new templates into one sorted template list, such as the list that is sorted by stars.
 * @param sorted new templates in the order of the list
 */
export function enter(db: Connection, order: Order, sorted: readonly Spot[], touched: Touched): void {
  for (let from = 0; from < sorted.length; ) {
    const first = sorted[from] as Spot;
    const above = neighbour(db, order, first, 'above');
    const below = neighbour(db, order, first, 'below');
    // Finds consecutive new templates without an existing template between them. These templates are inserted together.
    let to = from + 1;
    while (to < sorted.length && (!below || bySpot(sorted[to] as Spot, below) < 0)) to += 1;
    const run = sorted.slice(from, to);
    const ranks = ranksBetween(order, run, above, below) ?? makeRoom(db, order, run, above as RankedSpot, touched);
    run.forEach((spot, i) => {
      insert(db, order, { ...spot, rank: ranks[i] as number, ...textsOf(db, spot.id) }, touched);
    });
    from = to;
  }
}

function textsOf(db: Connection, id: number): Texts {
  const row = db.get<Texts>('SELECT name, description FROM templates WHERE id = ?', id);
  return { name: foldName(row?.name ?? ''), description: fold(row?.description ?? '') };
}

function showItem(db: Connection, order: Order, rank: number, id: number): void {
  // The template always exists, because each template is saved before it is added to a list.
  const item = JSON.stringify(listedTemplate(shownTemplate(db, id) as TemplateRow));
  db.run(`INSERT OR REPLACE INTO ${order.name}_items (rank, item) VALUES (?, ?)`, rank, item);
}

function neighbour(db: Connection, order: Order, { key, id }: Spot, side: 'above' | 'below'): RankedSpot | undefined {
  const [than, direction] = side === 'above' ? ['>', 'ASC'] : ['<', 'DESC'];
  return db.get<RankedSpot>(
    `SELECT rank, key, id FROM ${order.name}_places WHERE (key, id) ${than} (?, ?)
      ORDER BY key ${direction}, id ${direction} LIMIT 1`,
    key,
    id,
  );
}

/**
 * Returns row ids for new templates between the templates `above` and `below`. If `above` or `below` is `undefined`,
 * this side has no limit. Returns `null` if there are not enough free row ids.
 */
function ranksBetween(
  order: Order,
  run: readonly Spot[],
  above: RankedSpot | undefined,
  below: RankedSpot | undefined,
): number[] | null {
  const isNextToAbove = above !== undefined && (!below || above.key === run[0]?.key);
  const isNextToBelow = below !== undefined && (!above || below.key === run.at(-1)?.key);
  const room = above && below ? below.rank - above.rank : Number.POSITIVE_INFINITY;
  /*
   * If the row ids do not fit with the gap `order.keyGap`, tries the smaller `GAP` between templates with different
   * sort keys.
   */
  for (const keyGap of isNextToAbove || isNextToBelow ? [order.keyGap, GAP] : [order.keyGap]) {
    const spots = [above, ...run, below].filter((spot) => spot !== undefined);
    const steps = spots.slice(1).map((spot, i) => (spot.key === spots[i]?.key ? GAP : keyGap));
    const wanted = steps.reduce((sum, step) => sum + step, 0);
    if (wanted > room) continue;
    let rank = isNextToAbove ? above.rank : (below?.rank ?? wanted) - wanted;
    // If no template precedes the new templates, the first new template gets the row id `rank`.
    return run.map((_, i) => (rank += (above ? steps[i] : steps[i - 1]) ?? 0));
  }
  if (run.length >= room) return null;
  return run.map((_, i) => (above?.rank ?? 0) + Math.floor((room * (i + 1)) / (run.length + 1)));
}

/**
 * Assigns new row ids with equal gaps to the templates near `above`. The larger the range, the larger is the required
 * share of free row ids. This rule keeps later insertions fast.
 * @returns row ids for the new templates (`run`)
 */
function makeRoom(db: Connection, order: Order, run: readonly Spot[], above: RankedSpot, touched: Touched): number[] {
  const table = `${order.name}_places`;
  const count = (low: number, high: number) =>
    db.get<{ count: number }>(`SELECT count(*) AS count FROM ${table} WHERE rank BETWEEN ? AND ?`, low, high)?.count ??
    0;
  let width = 2;
  let low = above.rank;
  for (let doublings = 1; ; doublings += 1, width *= 2) {
    low = Math.floor(above.rank / width) * width;
    const taken = count(low, low + width - 1) + run.length;
    if (taken <= width * Math.max(SPREAD.narrow ** -doublings, 1 / SPREAD.wide)) break;
  }
  const moved = db
    .all<RankedSpot & Texts>(
      `DELETE FROM ${table} WHERE rank BETWEEN ? AND ? RETURNING rank, key, id, name, description`,
      low,
      low + width - 1,
    )
    .sort((a, b) => a.rank - b.rank);
  db.run(`DELETE FROM ${order.name}_items WHERE rank BETWEEN ? AND ?`, low, low + width - 1);
  for (const { rank } of moved) touchLeft(touched, rank);
  const split = moved.filter(({ rank }) => rank <= above.rank).length;
  const rankAt = (i: number) => low + Math.floor(((i + 0.5) * width) / (moved.length + run.length));
  for (const [i, row] of moved.entries())
    insert(db, order, { ...row, rank: rankAt(i < split ? i : i + run.length) }, touched);
  return run.map((_, i) => rankAt(split + i));
}

function insert(db: Connection, order: Order, row: RankedSpot & Texts, touched: Touched): void {
  const { rank, key, id, name, description } = row;
  db.run(
    `INSERT INTO ${order.name}_places (rank, key, id, name, description) VALUES (?, ?, ?, ?, ?)`,
    rank,
    key,
    id,
    name,
    description,
  );
  showItem(db, order, rank, id);
  touched.entered.add(rank);
}

/**
 * Marks a row id for removal from the full-text index. If the row id is marked for addition, only removes that mark.
 */
function touchLeft({ left, entered }: Touched, rank: number): void {
  if (!entered.delete(rank)) left.add(rank);
}
