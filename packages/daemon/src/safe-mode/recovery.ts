/** The requests of safe mode: verify, export, restore and resume. At most one of them runs at a time. */
import { createReadStream } from 'node:fs';
import { chmod, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DavitError, type ExportReport, type RestoreReport, type ResumeReport, type StateReport } from '@davit/api';
import { isDamage } from '@davit/service';
import { replaceDurably } from '@davit/service/durable-files';
import { fileBytes } from '../config/instance-id.ts';
import { copyDatabase } from '../db/recovery/copy.ts';
import type { SafeModeReason } from './reason.ts';
import { demandUsable, removeCopy, replaceDatabase } from './replace.ts';
import { type StateFiles, verifyFiles } from './verify.ts';

export interface StateRecoveryParts {
  files: StateFiles;
  reason: () => SafeModeReason;
  /**
   * Opens the state again. Returns whether the instance starts. Otherwise, `reason` returns the new reason.
   * @param acceptsRows whether the operator accepts rows that were changed outside of Davit
   */
  resume: (acceptsRows: boolean) => boolean;
  /** Signal that is aborted when safe mode ends. */
  signal: AbortSignal;
  now: () => Date;
}

export interface RestoreQuery {
  /** Whether the operator accepts rows that were changed outside of Davit. */
  acceptsRows: boolean;
  /** Whether the write-ahead log of the copy was received before the copy. */
  hasLog: boolean;
}

export class StateRecovery {
  readonly #parts: StateRecoveryParts;
  readonly #database: string;
  readonly #exported: string;
  readonly #received: string;
  #isBusy = false;

  constructor(parts: StateRecoveryParts) {
    this.#parts = parts;
    this.#database = join(parts.files.dataDir, 'davit.db');
    this.#exported = `${this.#database}-export`;
    this.#received = `${this.#database}-received`;
  }

  verify(): Promise<StateReport> {
    return this.#alone(async () => {
      const { problem, message } = this.#parts.reason();
      return { problem, message, files: await verifyFiles(this.#parts.files, this.#parts.signal) };
    });
  }

  /** Writes all readable rows to a new file. `exported` returns the content of this file. */
  export(): Promise<ExportReport> {
    return this.#alone(async () => {
      if (fileBytes(this.#database) === 0)
        throw new DavitError('conflict', 'The database is missing, so there is nothing to export. Restore a copy.');
      await removeCopy(this.#exported);
      try {
        const copied = await copyDatabase(this.#database, this.#exported, this.#parts.signal);
        await chmod(this.#exported, 0o600);
        return { size_bytes: (await stat(this.#exported)).size, ...copied };
      } catch (error) {
        await removeCopy(this.#exported);
        if (!isDamage(error)) throw error;
        const message = 'No row of the database can be read. Restore a copy of the database.';
        throw new DavitError('conflict', message, { cause: error });
      }
    });
  }

  /** @throws DavitError not_found if there is no exported file */
  exported(): ReadableStream {
    if (fileBytes(this.#exported) === 0)
      throw new DavitError('not_found', 'There is no exported file. Export the database first.');
    return Readable.toWeb(createReadStream(this.#exported)) as ReadableStream;
  }

  /** Stores the write-ahead log of the copy that `restore` then receives. */
  receiveLog(body: Readable): Promise<void> {
    return this.#alone(() => receive(`${this.#received}-wal`, body));
  }

  /**
   * Receives a copy of the database, verifies it, and replaces the database. Then, opens the state again.
   * @throws DavitError conflict if the copy cannot be used, or if its write-ahead log was not received
   */
  restore(body: Readable, { acceptsRows, hasLog }: RestoreQuery): Promise<RestoreReport> {
    return this.#alone(async () => {
      const { files, signal, now } = this.#parts;
      try {
        await receive(this.#received, body);
        await this.#demandLog(hasLog);
        await demandUsable(this.#received, files, { acceptsRows, signal });
        const previous = await replaceDatabase(this.#received, files.dataDir, now());
        return { previous, ...this.#resumed(acceptsRows) };
      } finally {
        await removeCopy(this.#received);
      }
    });
  }

  resume(acceptsRows: boolean): Promise<ResumeReport> {
    return this.#alone(async () => this.#resumed(acceptsRows));
  }

  /** Removes the files that only safe mode uses. */
  async removeFiles(): Promise<void> {
    await removeCopy(this.#exported);
    await removeCopy(this.#received);
  }

  /**
   * Checks that the write-ahead log of the received copy was received too. If the copy has no log, this function removes
   * a log that was received for another copy. Otherwise, SQLite would merge it.
   */
  async #demandLog(hasLog: boolean): Promise<void> {
    const log = `${this.#received}-wal`;
    if (!hasLog) await rm(log, { force: true });
    else if (fileBytes(log) === 0)
      throw new DavitError('conflict', 'The write-ahead log of the copy was not received. Start the restore again.');
  }

  #resumed(acceptsRows: boolean): ResumeReport {
    if (this.#parts.resume(acceptsRows)) return { problem: null, message: null };
    const { problem, message } = this.#parts.reason();
    return { problem, message };
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) throw new DavitError('conflict', 'Another repair command is running. Wait until it ends.');
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#isBusy = false;
    }
  }
}

async function receive(path: string, body: Readable): Promise<void> {
  await replaceDurably(path, (file) => file.writeFile(body));
}
