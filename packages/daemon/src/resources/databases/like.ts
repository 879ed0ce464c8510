import type { NewDatabase } from '../../db/tables/new-database.ts';

/** Properties of a new database that is made like another database, without creation time and published port. */
export type DatabaseLike = Omit<NewDatabase, 'at' | 'exposed_port'>;
