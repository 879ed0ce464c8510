import type { Connection } from './connection.ts';
import { fold, foldName } from './fold.ts';
import { bySpot, GAP, type Order, type Spot } from './orders.ts';
import { listedTemplate, shownTemplate, type TemplateRow } from './template.ts';

interface Place extends Spot {
  rank: number;
}

/** What is looked for in a template, folded. */
interface Texts {
  name: string;
  description: string;
}

/** The ranks whose texts the index of grams has to forget, and those that it has to read. */
export interface Touched {
  left: Set<number>;
  entered: Set<number>;
}

/** What became of a template that stays listed. */
export interface Move {
  before: Spot;
  after: Spot;
  /** What the index of grams has of it is no longer so. */
  hasOtherTexts: boolean;
}

/** Of how many ranks one may be taken when ranks are spread anew: in few of them nearly all, in many of them few. */
const SPREAD = { narrow: 1.4, wide: 16 };

/** The rank of the first template after a position; null: none follows. */
export function rankAfter(db: Connection, order: Order, { key, id }: Spot): number | null {
  const found = db.get<{ rank: number }>(
    `SELECT rank FROM ${order.name}_places WHERE (key, id) < (?, ?) ORDER BY key DESC, id DESC LIMIT 1`,
    key,
    id,
  );
  return found?.rank ?? null;
}

/** Takes a template out of the order. */
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
 * Lets a template stay where it is under another key or with other texts, as most do that get a star.
 * @returns false where its place is another one now: then nothing was done
 */
export function stay(db: Connection, order: Order, { before, after, hasOtherTexts }: Move, touched: Touched): boolean {
  const table = `${order.name}_places`;
  const rank = db.get<Place>(`SELECT rank FROM ${table} WHERE key = ? AND id = ?`, before.key, before.id)?.rank;
  if (rank === undefined) return false;
  const columns = 'rank, key, id';
  const above = db.get<Place>(`SELECT ${columns} FROM ${table} WHERE rank < ? ORDER BY rank DESC LIMIT 1`, rank);
  const below = db.get<Place>(`SELECT ${columns} FROM ${table} WHERE rank > ? ORDER BY rank LIMIT 1`, rank);
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

/** Puts templates into the order. @param sorted the first of the list first; none of them has a place */
export function enter(db: Connection, order: Order, sorted: readonly Spot[], touched: Touched): void {
  for (let from = 0; from < sorted.length; ) {
    const first = sorted[from] as Spot;
    const above = neighbour(db, order, first, 'above');
    const below = neighbour(db, order, first, 'below');
    // Those that come between the same two are put there together.
    let to = from + 1;
    while (to < sorted.length && (!below || bySpot(sorted[to] as Spot, below) < 0)) to += 1;
    const run = sorted.slice(from, to);
    const ranks = ranksBetween(order, run, above, below) ?? makeRoom(db, order, run, above as Place, touched);
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
  // What has a place was written before.
  const item = JSON.stringify(listedTemplate(shownTemplate(db, id) as TemplateRow));
  db.run(`INSERT OR REPLACE INTO ${order.name}_items (rank, item) VALUES (?, ?)`, rank, item);
}

function neighbour(db: Connection, order: Order, { key, id }: Spot, side: 'above' | 'below'): Place | undefined {
  const [than, direction] = side === 'above' ? ['>', 'ASC'] : ['<', 'DESC'];
  return db.get<Place>(
    `SELECT rank, key, id FROM ${order.name}_places WHERE (key, id) ${than} (?, ?)
      ORDER BY key ${direction}, id ${direction} LIMIT 1`,
    key,
    id,
  );
}

/** Null: there is no room. There always is before the first and after the last. */
function ranksBetween(
  order: Order,
  run: readonly Spot[],
  above: Place | undefined,
  below: Place | undefined,
): number[] | null {
  const isNextToAbove = above !== undefined && (!below || above.key === run[0]?.key);
  const isNextToBelow = below !== undefined && (!above || below.key === run.at(-1)?.key);
  const room = above && below ? below.rank - above.rank : Number.POSITIVE_INFINITY;
  // Near a neighbour of the same key the wide gap to another key can be used up.
  for (const keyGap of isNextToAbove || isNextToBelow ? [order.keyGap, GAP] : [order.keyGap]) {
    const spots = [above, ...run, below].filter((spot) => spot !== undefined);
    const steps = spots.slice(1).map((spot, i) => (spot.key === spots[i]?.key ? GAP : keyGap));
    const wanted = steps.reduce((sum, step) => sum + step, 0);
    if (wanted > room) continue;
    let rank = isNextToAbove ? above.rank : (below?.rank ?? wanted) - wanted;
    // Without one above, the first of them is where the steps begin.
    return run.map((_, i) => (rank += (above ? steps[i] : steps[i - 1]) ?? 0));
  }
  if (run.length >= room) return null;
  return run.map((_, i) => (above?.rank ?? 0) + Math.floor((room * (i + 1)) / (run.length + 1)));
}

/**
 * Spreads the ranks around `above` evenly, with the ranks of `run` after it: as few as there is room in. Ranges that are
 * twice as wide may be a little less full each, which keeps what many insertions cost in all low.
 * @returns the ranks of `run`
 */
function makeRoom(db: Connection, order: Order, run: readonly Spot[], above: Place, touched: Touched): number[] {
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
    .all<Place & Texts>(
      `DELETE FROM ${table} WHERE rank BETWEEN ? AND ? RETURNING rank, key, id, name, description`,
      low,
      low + width - 1,
    )
    .sort((a, b) => a.rank - b.rank);
  db.run(`DELETE FROM ${order.name}_items WHERE rank BETWEEN ? AND ?`, low, low + width - 1);
  for (const { rank } of moved) touchLeft(touched, rank);
  const split = moved.filter(({ rank }) => rank <= above.rank).length;
  const rankAt = (i: number) => low + Math.floor(((i + 0.5) * width) / (moved.length + run.length));
  for (const [i, place] of moved.entries())
    insert(db, order, { ...place, rank: rankAt(i < split ? i : i + run.length) }, touched);
  return run.map((_, i) => rankAt(split + i));
}

function insert(db: Connection, order: Order, place: Place & Texts, touched: Touched): void {
  const { rank, key, id, name, description } = place;
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

/** What entered only now is not in the index yet. */
function touchLeft({ left, entered }: Touched, rank: number): void {
  if (!entered.delete(rank)) left.add(rank);
}
