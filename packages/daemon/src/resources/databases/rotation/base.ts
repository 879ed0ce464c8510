import type { Deploys } from '../../deployments/deploys.ts';
import type { DatabasesDeps } from '../deps.ts';

/** Dependencies of a password rotation. `deploys` starts new deployments of the apps that use the database. */
export interface DeployingBase extends DatabasesDeps {
  deploys: Deploys;
}
