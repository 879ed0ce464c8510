import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurablySync } from '@davit/service/durable-files';
import { randomSecret } from './secrets.ts';

/**
 * Token to create the first account. The token proves that the user has access to the server. To survive a restart, it
 * is stored in the file `<data dir>/setup-token` (mode 0600).
 */
export class SetupToken {
  readonly #file: string;
  #token: string | null;

  /** @param configured token that the operator chose, or `null` for a random token */
  constructor(options: { dataDir: string; configured: string | null; claimed: boolean }) {
    this.#file = join(options.dataDir, 'setup-token');
    this.#token = null;
    if (options.claimed) {
      this.discard();
      return;
    }
    this.#token = options.configured ?? this.#kept() ?? randomSecret();
    writeDurablySync(this.#file, `${this.#token}\n`);
  }

  /** The setup token, or `null` if an account exists. */
  get value(): string | null {
    return this.#token;
  }

  discard(): void {
    this.#token = null;
    rmSync(this.#file, { force: true });
  }

  #kept(): string | null {
    try {
      return readFileSync(this.#file, 'utf8').trim() || null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw new Error(`read ${this.#file}`, { cause: error });
    }
  }
}
