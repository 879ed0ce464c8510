/** Messages about a damaged database, and the note that reports the damage to the next start. */
import { existsSync, rmSync } from 'node:fs';
import { writeDurablySync } from '@davit/service/durable-files';

/** What to do, for the operator at the terminal. */
export const REPAIR =
  'Restore a copy of the data directory: see “A damaged data directory” in docs/how-to/recover-a-damaged-instance.md. Apps and proxy keep serving.';

/** For everyone who uses the instance. */
export const DAMAGED =
  'The database of this instance is damaged, so it accepts no changes. Stop it and restore a copy of its data directory. Apps and proxy keep serving.';

/** Nothing is written into a database that is known to be damaged: each change could destroy more. */
export class StoreDamaged extends Error {
  override name = 'StoreDamaged';

  constructor(options?: ErrorOptions) {
    super(DAMAGED, options);
  }
}

/** Whether something failed because the database is damaged; also as the cause of another failure. */
export function isStoreDamage(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof StoreDamaged) return true;
  return false;
}

/** A note in a file beside the database, since the database must not be written to any more. */
export class DamageNote {
  readonly #path: string;

  constructor(database: string) {
    this.#path = `${database}-damaged`;
  }

  get exists(): boolean {
    return existsSync(this.#path);
  }

  write(): void {
    writeDurablySync(this.#path, 'The database was found damaged. It is checked before the next start.\n');
  }

  remove(): void {
    rmSync(this.#path, { force: true });
  }
}
