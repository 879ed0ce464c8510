import type { Deploys } from '../../deployments/deploys.ts';
import type { DatabasesDeps } from '../deps.ts';

/**
 * Dependencies of a password rotation. They include deployments, because the rotation deploys the apps of the
 * database.
 */
export interface DeployingBase extends DatabasesDeps {
  deploys: Deploys;
}
