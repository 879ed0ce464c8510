import type { NewDatabase } from '../../db/tables/new-database.ts';

/** Properties for a new database that copies another database, without creation time and published port. */
export type DatabaseLike = Omit<NewDatabase, 'at' | 'exposed_port'>;
