import type { AppsDeps } from '../apps/deps.ts';

/** What the functions of this folder work with. */
export type EnvironmentsDeps = AppsDeps;
