import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurablySync } from '@davit/service/durable-files';
import { randomSecret } from './secrets.ts';

/**
 * Token for the claim of the first account. The token proves that the user can read the server's files or its terminal.
 * The token is stored in `<data dir>/setup-token` (0600) until the claim, so that a restart does not change the token.
 */
export class SetupToken {
  readonly #file: string;
  #token: string | null;

  /** @param configured token that the operator chose, or `null` to create one */
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

  /** Token, or `null` after the claim. */
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
