import type { DeploymentsDeps } from '../deployments/deps.ts';

/** What the functions of this folder work with. */
export type AttachmentsDeps = DeploymentsDeps;
