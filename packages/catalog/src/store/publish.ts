import type { Connection } from './connection.ts';
import { countGrams } from './gram.ts';
import { bySpot, ORDERS, type Order, type Spot, spotOf } from './orders.ts';
import { notePass } from './pass.ts';
import { enter, leave, type Move, stay, type Touched } from './position.ts';
import { publishReleases, withdrawReleases } from './published-release.ts';
import { publishName } from './published-repository.ts';
import { gramsOfTemplate, updateSearchIndex } from './search-index.ts';
import {
  isSameTemplate,
  notedTemplate,
  removeTemplate,
  shownTemplate,
  type TemplateRow,
  writeTemplate,
} from './template.ts';
import { publishTopics } from './topic.ts';
import type { PassReport } from './types.ts';

/** Changes of one sorted template list that are made when a new index is published. */
interface Changes {
  moves: Move[];
  leaving: Spot[];
  entering: Spot[];
}

/** Changes of all Git repositories since the last publication of the index. */
interface Gathered {
  orders: [Order, Changes][];
  /**
   * Map from n-gram (a text piece of one to three characters) to a number. The number is the change in the count of
   * templates with this n-gram.
   */
  grams: Map<string, number>;
  templates: number;
}

/**
 * Publishes all changes since the last publication in one transaction.
 * @returns the number of the published index. The number increases with each change of the index
 */
export function publish(db: Connection, report: PassReport): number {
  const number = db.transaction(() => {
    const gathered: Gathered = {
      orders: Object.values(ORDERS).map((order) => [order, { moves: [], leaving: [], entering: [] }]),
      grams: new Map(),
      templates: 0,
    };
    let isChanged = indexNumber(db) === null;
    for (const { id } of db.all<{ id: number }>('SELECT id FROM repositories WHERE is_changed = 1')) {
      if (publishRepository(db, id, gathered)) isChanged = true;
    }
    for (const [order, changes] of gathered.orders) publishOrder(db, order, changes);
    countGrams(db, gathered.grams);
    db.run('UPDATE repositories SET is_changed = 0 WHERE is_changed = 1');
    notePass(db, report);
    if (isChanged) countOn(db, gathered.templates);
    return indexNumber(db) ?? 0;
  });
  /*
   * Moves all data from the WAL to the main SQLite file. If a running query prevents the move, the next call tries
   * again.
   */
  db.all('PRAGMA wal_checkpoint(TRUNCATE)');
  return number;
}

/** Returns the number of the published index of templates, or `null` before the first successful indexing run. */
export function indexNumber(db: Connection): number | null {
  return db.get<{ number: number }>('SELECT number FROM indexes')?.number ?? null;
}

export function countTemplates(db: Connection): number {
  return db.get<{ templates: number }>('SELECT templates FROM indexes')?.templates ?? 0;
}

function countOn(db: Connection, templates: number): void {
  db.run(
    `INSERT INTO indexes (id, number, templates) VALUES (1, 1, ?1)
     ON CONFLICT DO UPDATE SET number = number + 1, templates = templates + ?1`,
    templates,
  );
}

/**
 * Copies the data of one Git repository from the indexer's tables to the published tables.
 * @returns whether the published data changed
 */
function publishRepository(db: Connection, id: number, gathered: Gathered): boolean {
  const isVisible = db.get('SELECT 1 FROM repositories WHERE id = ? AND hidden IS NULL', id) !== undefined;
  const isNewName = publishName(db, id);
  const isNewRelease = isVisible ? publishReleases(db, id) : withdrawReleases(db, id);
  const before = shownTemplate(db, id);
  const after = notedTemplate(db, id);
  if (isSameTemplate(before, after)) return isNewName || isNewRelease;
  if (after) writeTemplate(db, after);
  else removeTemplate(db, id);
  publishTopics(db, before, after);
  gather(gathered, before, after);
  return true;
}

function gather(gathered: Gathered, before: TemplateRow | null, after: TemplateRow | null): void {
  const { orders, grams } = gathered;
  gathered.templates += (after ? 1 : 0) - (before ? 1 : 0);
  const hasOtherTexts =
    before?.name !== after?.name || before?.description !== after?.description || before?.topics !== after?.topics;
  if (hasOtherTexts) {
    for (const gram of before ? gramsOfTemplate(before) : []) grams.set(gram, (grams.get(gram) ?? 0) - 1);
    for (const gram of after ? gramsOfTemplate(after) : []) grams.set(gram, (grams.get(gram) ?? 0) + 1);
  }
  for (const [order, { moves, leaving, entering }] of orders) {
    const [from, to] = [before && spotOf(order, before), after && spotOf(order, after)];
    if (from && to) moves.push({ before: from, after: to, hasOtherTexts });
    else if (!to && from) leaving.push(from);
    else if (to && !from) entering.push(to);
  }
}

function publishOrder(db: Connection, order: Order, { moves, leaving, entering }: Changes): void {
  const touched: Touched = { left: new Set(), entered: new Set() };
  for (const spot of leaving) leave(db, order, spot, touched);
  for (const move of moves) {
    if (stay(db, order, move, touched)) continue;
    leave(db, order, move.before, touched);
    entering.push(move.after);
  }
  enter(db, order, entering.sort(bySpot), touched);
  updateSearchIndex(db, order, touched);
}
