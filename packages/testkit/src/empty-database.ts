import { openDatabase } from '@davit/daemon/db/database.ts';

let content: Uint8Array | null = null;

/**
 * Returns the content of an empty SQLite database after all migrations. Each process runs the migrations only once. The
 * migrations take 18 ms, and a copy of the result takes less than 1 ms.
 */
export function emptyDatabase(): Uint8Array {
  if (content === null) {
    using database = openDatabase(':memory:');
    content = database.serialize();
  }
  return content;
}
