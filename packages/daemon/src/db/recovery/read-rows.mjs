/** Reads the rows of a table of a damaged SQLite database. */

/** Maximum number of further reads between two damaged pages of a table. */
const MAX_READS = 128;

/**
 * Calls `onRow` with the values of each readable row, once per row.
 * @param {import('node:sqlite').DatabaseSync} from damaged database
 * @param {import('node:sqlite').DatabaseSync} to intact database with the same schema
 * @param {{ table: string, columns: string }} what `columns`: quoted names, separated by commas
 * @param {(values: unknown[]) => void} onRow
 * @returns {string[]} descriptions of the rows that cannot be read
 */
export function readRows(from, to, { table, columns }, onRow) {
  const [{ wr }] = to.prepare('SELECT wr FROM pragma_table_list(?)').all(table);
  try {
    return wr ? readByKey(from, to, { table, columns }, onRow) : readById(from, { table, columns }, onRow);
  } catch {
    // The damaged database has no such table, or the table has other columns.
    return ['the table cannot be read'];
  }
}

/** Reads a table with row ids: from both ends, and then between the damaged pages. */
function readById(from, { table, columns }, onRow) {
  const read = (order, low, high) => {
    const where = [low === null ? '' : `rowid > ${low}`, high === null ? '' : `rowid < ${high}`].filter(Boolean);
    const sql = `SELECT rowid, ${columns} FROM "${table}" ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}`;
    let last = null;
    const isComplete = iterate(from, `${sql} ORDER BY rowid ${order}`, ([id, ...values]) => {
      last = id;
      onRow(values);
    });
    return { last, isComplete };
  };
  const first = read('ASC', null, null);
  if (first.isComplete) return [];
  const second = read('DESC', first.last, null);
  if (second.isComplete) return [];
  const gaps = [[first.last, second.last]];
  const lost = [];
  for (let reads = 0; gaps.length > 0; reads += 2) {
    const [low, high] = gaps.shift();
    // Without an upper or lower end, the middle is unknown.
    if (low === null || high === null || high - low < 3n || reads >= MAX_READS) {
      if (low === null || high === null || high - low > 1n) lost.push(describe(low, high));
      continue;
    }
    const middle = low + (high - low) / 2n;
    const above = read('ASC', middle - 1n, high);
    if (!above.isComplete) gaps.push([above.last ?? middle - 1n, high]);
    const below = read('DESC', low, middle);
    if (!below.isComplete) gaps.push([low, below.last ?? middle]);
  }
  return lost;
}

function describe(low, high) {
  if (low === null && high === null) return 'no row of the table can be read';
  if (low === null) return `rows with ids below ${high} cannot be read`;
  return high === null
    ? `rows with ids above ${low} cannot be read`
    : `rows between the ids ${low} and ${high} cannot be read`;
}

/** Reads a table without row ids from both ends. Rows between two damaged pages are lost. */
function readByKey(from, to, { table, columns }, onRow) {
  const key = to
    .prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk')
    .all(table)
    .map(({ name }) => `"${name}"`);
  const seen = new Set();
  const once = (values) => {
    const text = values.map(String).join('\0');
    if (!seen.has(text)) onRow(values);
    seen.add(text);
  };
  const sql = (order) =>
    `SELECT ${columns} FROM "${table}" ORDER BY ${key.map((name) => `${name} ${order}`).join(', ')}`;
  if (iterate(from, sql('ASC'), once)) return [];
  iterate(from, sql('DESC'), once);
  return ['some rows cannot be read'];
}

/** @returns {boolean} whether all rows were read */
function iterate(from, sql, onRow) {
  const statement = from.prepare(sql);
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  const rows = statement.iterate();
  for (;;) {
    let next;
    try {
      next = rows.next();
    } catch {
      return false;
    }
    if (next.done) return true;
    onRow(next.value);
  }
}
