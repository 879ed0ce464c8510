/**
 * Handles a damaged SQLite database. When Davit finds damage, it creates a marker file. If this file exists when the
 * daemon starts, the daemon checks the database first.
 */
import { existsSync, rmSync } from 'node:fs';
import { writeDurablySync } from '@davit/service/durable-files';

/** Repair instructions for the operator of the server, shown in the terminal. */
export const REPAIR =
  'Repair the instance or restore a copy, as described in docs/how-to/recover-a-damaged-instance.md. Apps and the proxy continue to run.';

/** Text that users of the dashboard and the API see while the SQLite database is damaged. */
export const DAMAGED =
  'The database of this instance is damaged, so it accepts no changes (apps and the proxy continue to run). Restart the instance, and repair it in safe mode.';

/**
 * Error for a write to a damaged SQLite database. Davit refuses all writes, because a write could destroy more data.
 */
export class StoreDamaged extends Error {
  override name = 'StoreDamaged';

  constructor(options?: ErrorOptions) {
    super(DAMAGED, options);
  }
}

/** Returns whether an error is a `StoreDamaged` error, or has such an error as a direct or indirect cause. */
export function isStoreDamage(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof StoreDamaged) return true;
  return false;
}

/**
 * Marker file next to the SQLite file. It exists if the database is damaged. A file is necessary, because Davit does
 * not write to a damaged database.
 */
export class DamageNote {
  readonly #path: string;

  constructor(database: string) {
    this.#path = `${database}-damaged`;
  }

  get exists(): boolean {
    return existsSync(this.#path);
  }

  write(): void {
    writeDurablySync(this.#path, 'The database is damaged. Davit checks the database at the next start.\n');
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}
