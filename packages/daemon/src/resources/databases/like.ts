import type { NewDatabase } from '../../db/tables/new-database.ts';

/** Returns the properties of a database for a copy, without creation time and published port. */
export type DatabaseLike = Omit<NewDatabase, 'at' | 'exposed_port'>;
