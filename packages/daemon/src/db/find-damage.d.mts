import type { DatabaseSync } from 'node:sqlite';

/**
 * Checks every page, all free pages, and each index against its table.
 * @returns the findings of SQLite, for the log; an empty array if the database is intact
 */
export declare function findDamage(db: DatabaseSync): string[];
