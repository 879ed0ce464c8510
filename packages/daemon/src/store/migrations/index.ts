import { spine } from './001-spine.ts';
import { accounts } from './002-accounts.ts';
import { live } from './003-live.ts';
import { operations } from './004-operations.ts';
import { runs } from './005-runs.ts';
import { resources } from './006-resources.ts';
import { telemetry } from './007-telemetry.ts';

/** In order; one that was released never changes. */
export const MIGRATIONS: readonly string[] = [spine, accounts, live, operations, runs, resources, telemetry];
