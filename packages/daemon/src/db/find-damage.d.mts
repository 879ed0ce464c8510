import type { DatabaseSync } from 'node:sqlite';

/**
 * Checks every page, the free pages, and each index against its table.
 * @returns what SQLite found, for the log; nothing if the database is whole
 */
export declare function findDamage(db: DatabaseSync): string[];
