import { spine } from './001-spine.ts';

/** In order, forward only; the database's `user_version` counts those applied. */
export const MIGRATIONS: readonly string[] = [spine];
