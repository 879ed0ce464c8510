import type { Deploys } from '../../deployments/deploys.ts';
import type { DatabasesDeps } from '../deps.ts';

/** Objects that a password rotation uses. `deploys` starts new deployments of the apps that use the database. */
export interface DeployingBase extends DatabasesDeps {
  deploys: Deploys;
}
