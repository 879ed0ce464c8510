import type { Deploys } from '../../deployments/deploys.ts';
import type { DatabasesDeps } from '../deps.ts';

/**
 * Services that a password rotation uses. They include deployments, because the rotation deploys the apps of the
 * database again.
 */
export interface DeployingBase extends DatabasesDeps {
  deploys: Deploys;
}
