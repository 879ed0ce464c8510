/** Messages about a damaged database, and the file that reports the damage to the next start of the daemon. */
import { existsSync, rmSync } from 'node:fs';
import { writeDurablySync } from '@davit/service/durable-files';

/** Instructions for the operator, shown in the terminal. */
export const REPAIR =
  'Apps and the proxy continue to run. Restore a copy of the data directory: see “A damaged data directory” in docs/how-to/recover-a-damaged-instance.md.';

/** Message for all users of the instance. */
export const DAMAGED =
  'The database of this instance is damaged, so it accepts no changes (apps and the proxy continue to run). Stop the instance and restore a copy of its data directory.';

/**
 * Error of a write to a database that is known to be damaged. Davit refuses such writes, because each change could
 * destroy more data.
 */
export class StoreDamaged extends Error {
  override name = 'StoreDamaged';

  constructor(options?: ErrorOptions) {
    super(DAMAGED, options);
  }
}

/** Returns whether an error, or one of its causes, is a {@link StoreDamaged}. */
export function isStoreDamage(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof StoreDamaged) return true;
  return false;
}

/**
 * A file next to the database that records the damage. The record cannot be in the database, because Davit no longer
 * writes to the database.
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
    writeDurablySync(this.#path, 'The database is damaged. Davit checks it before the next start.\n');
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}
