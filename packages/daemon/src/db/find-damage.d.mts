import type { DatabaseSync } from 'node:sqlite';

/**
 * Checks all pages of a SQLite database, including free pages. Compares each index with its table.
 * @returns problems for the log; empty if no damage was found
 */
export declare function findDamage(db: DatabaseSync): string[];
