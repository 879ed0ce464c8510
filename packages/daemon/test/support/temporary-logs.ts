import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeptLogs, type KeptLogsOptions } from '../../src/resources/logs/kept-logs.ts';

/**
 * Logs in a temporary folder, which is created with the first line and removed with this object. Logs are read only
 * after a nudge.
 */
export class TemporaryLogs extends KeptLogs {
  readonly #folder: string;

  constructor(options: Omit<KeptLogsOptions, 'folder'>) {
    const folder = join(tmpdir(), `davit-logs-${randomBytes(6).toString('hex')}`);
    super({ ...options, folder });
    this.#folder = folder;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
