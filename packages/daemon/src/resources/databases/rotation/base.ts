import type { Deploys } from '../../deployments/deploys.ts';
import type { DatabasesDeps } from '../deps.ts';

/**
 * Dependencies (TypeScript objects) of a password rotation. `deploys` is one of them, because a rotation deploys the
 * apps of the database again.
 */
export interface DeployingBase extends DatabasesDeps {
  deploys: Deploys;
}
