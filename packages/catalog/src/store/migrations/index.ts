import { notes } from './001-notes.ts';
import { published } from './002-published.ts';
import { orders } from './003-orders.ts';

/** Migrations in order. A released migration never changes. */
export const MIGRATIONS: readonly string[] = [notes, published, orders];
