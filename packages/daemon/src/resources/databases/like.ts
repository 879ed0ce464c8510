import type { NewDatabase } from '../../db/tables/new-database.ts';

/**
 * Properties that a copy of a database has in common with the original. They exclude the creation time and the
 * published port.
 */
export type DatabaseLike = Omit<NewDatabase, 'at' | 'exposed_port'>;
