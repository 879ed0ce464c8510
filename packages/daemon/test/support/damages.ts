/** Kinds of damage of a data directory, and the expected result of each. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Expected result. `refused`: the start fails with a message of Davit. `found`: the check of the whole database finds
 * the damage. `repaired`: the instance works and has all its data.
 */
export type Outcome = 'refused' | 'found' | 'repaired';

export interface Damage {
  name: string;
  outcome: Outcome;
  /**
   * Whether the process was killed before, so that the write-ahead log contains changes that are not in the database
   * file.
   */
  killed?: boolean;
  /** Damages a data directory. */
  make: (dataDir: string) => void;
}

const PAGE = 4_096;
/** A page number that is larger than every database in these tests. */
const BEYOND = 0x00ffffff;
const FRAME = 24 + PAGE;

function edit(name: string, change: (bytes: Buffer) => Buffer | undefined): (dataDir: string) => void {
  return (dataDir) => {
    const file = join(dataDir, name);
    const bytes = readFileSync(file);
    writeFileSync(file, change(bytes) ?? bytes);
  };
}

const database = (change: (bytes: Buffer) => Buffer | undefined) => edit('davit.db', change);
const wal = (change: (bytes: Buffer) => Buffer | undefined) => edit('davit.db-wal', change);

/** Changes the root page of a table or an index. */
export function damagePage(name: string, change: (bytes: Buffer) => void): (dataDir: string) => void {
  return (dataDir) => {
    const root = rootOf(dataDir, name);
    database((bytes) => void change(bytes.subarray((root - 1) * PAGE, root * PAGE)))(dataDir);
  };
}

function rootOf(dataDir: string, name: string): number {
  // The schema itself begins on the first page, and has no row in itself.
  if (name === 'sqlite_schema') return 1;
  using db = new DatabaseSync(join(dataDir, 'davit.db'), { readOnly: true });
  const row = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name);
  if (row === undefined) throw new Error(`there is no ${name}`);
  return Number(row.rootpage);
}

const remove = (name: string) => (dataDir: string) => rmSync(join(dataDir, name));
const truncate = (name: string, bytes: number) => (dataDir: string) => truncateSync(join(dataDir, name), bytes);
const fill = (name: string) => (dataDir: string) => writeFileSync(join(dataDir, name), randomBytes(3 * PAGE));
const folderFor = (name: string) => (dataDir: string) => {
  rmSync(join(dataDir, name), { force: true });
  mkdirSync(join(dataDir, name));
};

/** `padding` is a table with many pages, and `padding_text` is an index of it. The start reads neither. */
export const DAMAGES: readonly Damage[] = [
  {
    name: 'a wrong header of the database file',
    outcome: 'refused',
    make: database((b) => void randomBytes(16).copy(b)),
  },
  {
    name: 'text instead of the database',
    outcome: 'refused',
    make: database(() => Buffer.from('notes\n'.repeat(2_000))),
  },
  { name: 'random bytes instead of the database', outcome: 'refused', make: fill('davit.db') },
  { name: 'a first page of zeros', outcome: 'refused', make: database((b) => void b.fill(0, 0, PAGE)) },
  { name: 'an invalid page size', outcome: 'refused', make: database((b) => void b.writeUInt16BE(3, 16)) },
  {
    name: 'an unknown file format version',
    outcome: 'refused',
    make: database((b) => void b.writeUInt16BE(0x0909, 18)),
  },
  { name: 'invalid payload fractions', outcome: 'refused', make: database((b) => void b.writeUInt8(1, 21)) },
  { name: 'an unknown schema format', outcome: 'refused', make: database((b) => void b.writeUInt32BE(99, 44)) },
  { name: 'a larger schema version', outcome: 'refused', make: database((b) => void b.writeUInt32BE(9_999, 60)) },
  { name: 'a smaller schema version', outcome: 'refused', make: database((b) => void b.writeUInt32BE(1, 60)) },
  { name: 'a wrong type of the first page', outcome: 'refused', make: database((b) => void b.writeUInt8(0x77, 100)) },
  {
    name: 'half of the database file',
    outcome: 'refused',
    make: database((b) => b.subarray(0, Math.ceil(b.length / PAGE / 2) * PAGE)),
  },
  { name: 'a database file of 100 bytes', outcome: 'refused', make: truncate('davit.db', 100) },
  { name: 'an empty database file', outcome: 'refused', make: truncate('davit.db', 0) },
  { name: 'a missing database file', outcome: 'refused', make: remove('davit.db') },
  { name: 'a folder instead of the database file', outcome: 'refused', make: folderFor('davit.db') },
  {
    name: 'a wrong page type in the settings table',
    outcome: 'refused',
    make: damagePage('settings', (b) => b.writeUInt8(0x77, 0)),
  },
  { name: 'a wrong page type in a table', outcome: 'found', make: damagePage('padding', (b) => b.writeUInt8(0x77, 0)) },
  {
    name: 'zeros instead of the root page of a table',
    outcome: 'found',
    make: damagePage('padding', (b) => b.fill(0)),
  },
  {
    name: 'a page pointer beyond the end of the file',
    outcome: 'found',
    make: damagePage('padding', (b) => b.writeUInt32BE(BEYOND, 8)),
  },
  { name: 'cells outside of their page', outcome: 'found', make: damagePage('padding', (b) => b.fill(0xff, 12, 40)) },
  {
    name: 'zeros instead of the root page of an index',
    outcome: 'found',
    make: damagePage('padding_text', (b) => b.fill(0)),
  },
  {
    name: 'an index entry for another row',
    outcome: 'found',
    make: leaf('padding_text', (b) => void b.writeUInt8(b.readUInt8(PAGE - 1) ^ 1, PAGE - 1)),
  },
  { name: 'zeros instead of a page in the middle', outcome: 'found', make: leaf('padding', (b) => b.fill(0)) },
  {
    name: 'a free list that points beyond the end of the file',
    outcome: 'found',
    make: database((b) => void b.writeUInt32BE(BEYOND, 32)),
  },
  { name: 'a free list with a wrong length', outcome: 'found', make: database((b) => void b.writeUInt32BE(7_777, 36)) },
  {
    name: 'a write-ahead log with a wrong header',
    outcome: 'refused',
    killed: true,
    make: wal((b) => void randomBytes(32).copy(b)),
  },
  { name: 'a write-ahead log of random bytes', outcome: 'refused', killed: true, make: fill('davit.db-wal') },
  {
    name: 'a write-ahead log with a damaged frame in the middle',
    outcome: 'refused',
    killed: true,
    make: wal((b) => void b.fill(0x5a, 32 + FRAME + 100, 32 + FRAME + 200)),
  },
  {
    name: 'a write-ahead log and an empty database file',
    outcome: 'refused',
    killed: true,
    make: truncate('davit.db', 0),
  },
  {
    name: 'a write-ahead log with a damaged last frame',
    outcome: 'repaired',
    killed: true,
    make: wal((b) => void b.fill(0x5a, b.length - 100)),
  },
  { name: 'random bytes in the shared-memory file', outcome: 'repaired', killed: true, make: fill('davit.db-shm') },
  { name: 'random bytes in the lock file', outcome: 'repaired', make: fill('lock.db') },
  {
    name: 'text in the lock file',
    outcome: 'repaired',
    make: (dir) => writeFileSync(join(dir, 'lock.db'), 'locked by 4711\n'.repeat(99)),
  },
  { name: 'a folder instead of the lock file', outcome: 'refused', make: folderFor('lock.db') },
  { name: 'a folder instead of the socket', outcome: 'refused', make: folderFor('davit.sock') },
  { name: 'a folder instead of the key file', outcome: 'refused', make: folderFor('master.key') },
  { name: 'an empty key file', outcome: 'refused', make: truncate('master.key', 0) },
  { name: 'a missing key file', outcome: 'refused', make: remove('master.key') },
  {
    name: 'the key of another instance',
    outcome: 'refused',
    make: (dir) => writeFileSync(join(dir, 'master.key'), randomBytes(32).toString('base64')),
  },
  { name: 'a file instead of the log folder', outcome: 'refused', make: (dir) => writeFileSync(join(dir, 'logs'), '') },
];

/** Changes the first page below the root of a table or an index. */
function leaf(name: string, change: (bytes: Buffer) => void): (dataDir: string) => void {
  return (dataDir) => {
    const root = rootOf(dataDir, name);
    database((bytes) => {
      const own = bytes.subarray((root - 1) * PAGE, root * PAGE);
      const child = own.readUInt32BE(own.readUInt16BE(12));
      change(bytes.subarray((child - 1) * PAGE, child * PAGE));
      return undefined;
    })(dataDir);
  };
}

/** Adds tables that the start does not read, and free pages. Damage in them is not noticed at the start. */
export function pad(dataDir: string): void {
  using db = new DatabaseSync(join(dataDir, 'davit.db'));
  db.exec(`
    CREATE TABLE padding (text TEXT) STRICT;
    CREATE INDEX padding_text ON padding (text);
    CREATE TABLE gone (text TEXT) STRICT;
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO padding SELECT i || hex(randomblob(100)) FROM n;
    INSERT INTO gone SELECT text FROM padding;
    DROP TABLE gone;
  `);
}
