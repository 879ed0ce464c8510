import type { DatabaseSync } from 'node:sqlite';

/**
 * Checks all pages of a SQLite database, including free pages, and compares each index with its table.
 * @returns the problems that SQLite reports, for the log; an empty array if the database is intact
 */
export declare function findDamage(db: DatabaseSync): string[];
