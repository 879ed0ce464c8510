import { openDatabase } from '@davit/service';
import type { KnownRepository, SourceRelease, SourceRepository } from '../source/source.ts';
import { block, blockedSubjects, unblock } from './block.ts';
import { Connection } from './connection.ts';
import { hasIcon, saveIcon } from './icon.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { notePass } from './pass.ts';
import { publish } from './publish.ts';
import { acceptedParts, recordedReleases, saveRelease } from './release.ts';
import { hideRepository, knownRepositories, saveRepository } from './repository.ts';
import type { CrawlRecords, Hidden, Judgement, PassReport, RecordedRelease } from './types.ts';

/**
 * Opens the catalog database for writing. Only one process may write at a time.
 * @throws DatabaseUnusable if the file is damaged, or if a newer version of Davit wrote the file
 */
export function openRecords(path: string): CrawlRecords {
  const db = new Connection(openDatabase(path, MIGRATIONS));
  /*
   * The cache of 16 MiB is large enough for all SQLite pages that `publish` changes. Therefore, each page is written
   * only once.
   */
  db.exec('PRAGMA cache_size = -16384');
  return new Records(db);
}

class Records implements CrawlRecords {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  together<T>(work: () => T): T {
    return this.#db.transaction(work);
  }

  known(): KnownRepository[] {
    return knownRepositories(this.#db);
  }

  blocked(): Set<string> {
    return blockedSubjects(this.#db);
  }

  block(subject: string, reason: string): void {
    block(this.#db, subject, reason);
  }

  unblock(subject: string): void {
    unblock(this.#db, subject);
  }

  saveRepository(repository: SourceRepository, hidden: Hidden | null): void {
    saveRepository(this.#db, repository, hidden);
  }

  hide(id: number, hidden: Hidden): void {
    hideRepository(this.#db, id, hidden);
  }

  recorded(repository: number): RecordedRelease[] {
    return recordedReleases(this.#db, repository);
  }

  saveRelease(repository: number, release: SourceRelease, judgement: Judgement, validator: number): void {
    this.#db.transaction(() => saveRelease(this.#db, repository, release, { judgement, validator }));
  }

  accepted(repository: number, tag: string, commit: string): { source: string; readme: string; icon: string } | null {
    return acceptedParts(this.#db, { repository, tag, commit });
  }

  hasIcon(hash: string): boolean {
    return hasIcon(this.#db, hash);
  }

  saveIcon(hash: string, png: Uint8Array): void {
    saveIcon(this.#db, hash, png);
  }

  publish(report: PassReport): number {
    return publish(this.#db, report);
  }

  notePass(report: PassReport): void {
    notePass(this.#db, report);
  }

  [Symbol.dispose](): void {
    this.#db[Symbol.dispose]();
  }
}
