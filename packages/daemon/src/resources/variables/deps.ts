import type { DeploymentsDeps } from '../deployments/deps.ts';

/** Dependencies of the functions in this folder. */
export type VariablesDeps = DeploymentsDeps;
