import type { AppsDeps } from '../apps/deps.ts';

export type EnvironmentsDeps = AppsDeps;
