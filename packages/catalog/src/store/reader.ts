import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Connection } from './connection.ts';
import { iconOf } from './icon.ts';
import { listTemplates } from './listing.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { lastPass } from './pass.ts';
import { countTemplates, indexNumber } from './publish.ts';
import { manifestOfTag, releasesOf } from './published-release.ts';
import { repositoryNamed } from './published-repository.ts';
import { manifestOfListed, templateDetail } from './template.ts';
import { topicsShown } from './topic.ts';
import type { CatalogReader, ListPage, ListQuery, PassReport, ReleaseRecord, TemplateDetail } from './types.ts';
import { StoreUnavailable } from './unavailable.ts';

/**
 * Maximum wait for a SQLite lock, in milliseconds. The wait blocks all HTTP requests. Only a repair after a crash locks
 * the database.
 */
const BUSY_MS = 250;

/**
 * Opens the catalog database for reading. If the SQLite file does not exist yet, each call of the reader tries to open
 * it again.
 */
export function openReader(path: string): CatalogReader {
  return new Reader(path);
}

class Reader implements CatalogReader {
  readonly #path: string;
  #open: { db: Connection; file: string } | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  index(): number | null {
    return this.#read((db) => (db ? indexNumber(db) : null));
  }

  list(query: ListQuery): ListPage {
    return this.#readIndex((db) => listTemplates(db, query));
  }

  template(owner: string, name: string): TemplateDetail | null {
    return this.#readNamed(owner, name, templateDetail);
  }

  manifest(owner: string, name: string, release: string | null): string | null {
    return this.#readNamed(owner, name, (db, id) =>
      release === null ? manifestOfListed(db, id) : manifestOfTag(db, id, release),
    );
  }

  releases(owner: string, name: string): ReleaseRecord[] | null {
    return this.#readNamed(owner, name, releasesOf);
  }

  topics(): string[] {
    return this.#readIndex(topicsShown);
  }

  icon(repository: number, commit: string): Uint8Array | null {
    return this.#readIndex((db) => iconOf(db, repository, commit));
  }

  count(): number {
    return this.#readIndex(countTemplates);
  }

  lastPass(): PassReport | null {
    return this.#read((db) => (db ? lastPass(db) : null));
  }

  [Symbol.dispose](): void {
    this.#close();
  }

  #readNamed<T>(owner: string, name: string, read: (db: Connection, id: number) => T): T | null {
    return this.#readIndex((db) => {
      const id = repositoryNamed(db, owner, name);
      return id === null ? null : read(db, id);
    });
  }

  #readIndex<T>(read: (db: Connection) => T): T {
    return this.#read((db) => {
      if (!db || indexNumber(db) === null) throw new StoreUnavailable('The indexer has not published an index yet.');
      return read(db);
    });
  }

  /**
   * Runs read queries in one transaction.
   * @param read gets `null` if the SQLite file is absent or empty
   * @throws StoreUnavailable if the file cannot be read
   */
  #read<T>(read: (db: Connection | null) => T): T {
    try {
      const db = this.#connection();
      return db ? db.snapshot(() => read(db)) : read(null);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      if (!isOfTheFile(error)) throw error;
      this.#close();
      throw new StoreUnavailable(`The index ${this.#path} cannot be read: ${error.message}`, { cause: error });
    }
  }

  /**
   * Returns the SQLite connection. If the SQLite file was replaced, opens it again, because the old connection would
   * still read the old file.
   */
  #connection(): Connection | null {
    const found = statSync(this.#path, { throwIfNoEntry: false, bigint: true });
    const file = found ? `${found.dev}/${found.ino}` : null;
    if (this.#open && this.#open.file !== file) this.#close();
    if (file !== null) this.#open ??= open(this.#path, file);
    return this.#open?.db ?? null;
  }

  #close(): void {
    this.#open?.db[Symbol.dispose]();
    this.#open = null;
  }
}

function open(path: string, file: string): { db: Connection; file: string } | null {
  const db = new Connection(new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS }));
  try {
    db.exec(`
      PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -16384;
    `);
    const schema = db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
    if (schema === MIGRATIONS.length) return { db, file };
    db[Symbol.dispose]();
    if (schema === 0) return null;
  } catch (error) {
    db[Symbol.dispose]();
    throw error;
  }
  throw new StoreUnavailable(
    `Another version of the catalog wrote the index ${path}, and the indexer of this version has not updated it yet.`,
  );
}

/**
 * Returns whether an error means that the SQLite file is unreadable or damaged. Invalid JSON in a row also means that
 * the file is damaged.
 */
function isOfTheFile(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return error instanceof SyntaxError || 'syscall' in error || ('code' in error && error.code === 'ERR_SQLITE_ERROR');
}
