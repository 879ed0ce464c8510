import type { AppsDeps } from '../apps/deps.ts';

/** Dependencies of the functions in this folder. */
export type EnvironmentsDeps = AppsDeps;
