import type { NewDatabase } from '../../db/tables/new-database.ts';

/**
 * Properties that a copy of a database gets from the original database. The copy has its own creation time and its own
 * published port.
 */
export type DatabaseLike = Omit<NewDatabase, 'at' | 'exposed_port'>;
