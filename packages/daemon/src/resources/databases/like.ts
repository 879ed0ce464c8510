import type { NewDatabase } from '../../db/tables/new-database.ts';

/**
 * Properties that a copy of a database takes from the original. The copy gets its own creation time and its own
 * published port.
 */
export type DatabaseLike = Omit<NewDatabase, 'at' | 'exposed_port'>;
