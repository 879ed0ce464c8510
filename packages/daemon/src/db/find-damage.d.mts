import type { DatabaseSync } from 'node:sqlite';

/**
 * Checks all pages of a SQLite database, even free ones, and compares each index with its table.
 * @returns problems for the log; empty if there is none
 */
export declare function findDamage(db: DatabaseSync): string[];
