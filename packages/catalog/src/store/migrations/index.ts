import { notes } from './001-notes.ts';
import { published } from './002-published.ts';
import { orders } from './003-orders.ts';

/** Migrations of the catalog database, oldest first. A released migration must not change. */
export const MIGRATIONS: readonly string[] = [notes, published, orders];
