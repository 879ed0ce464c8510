import type { NewDatabase } from '../../db/tables/new-database.ts';

/** What a database is made of that resembles another one, before it has a time of creation and a published port. */
export type DatabaseLike = Omit<NewDatabase, 'at' | 'exposed_port'>;
