import { openDatabase } from '@davit/daemon/db/database.ts';

let content: Uint8Array | null = null;

/**
 * Returns the content of an empty SQLite database after all migrations. The migrations need 18 ms, and a copy of their
 * result less than 1 ms. Each process runs the migrations once.
 */
export function emptyDatabase(): Uint8Array {
  if (content === null) {
    using database = openDatabase(':memory:');
    content = database.serialize();
  }
  return content;
}
