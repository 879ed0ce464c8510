import type { Deploys } from '../../deployments/deploys.ts';
import type { DatabasesDeps } from '../deps.ts';

/** What a rotation works with: the apps of the database are deployed in it. */
export interface DeployingBase extends DatabasesDeps {
  deploys: Deploys;
}
