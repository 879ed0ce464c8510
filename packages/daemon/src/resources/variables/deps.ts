import type { DeploymentsDeps } from '../deployments/deps.ts';

export type VariablesDeps = DeploymentsDeps;
