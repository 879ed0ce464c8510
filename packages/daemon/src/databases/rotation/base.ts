import type { Deploys } from '../../deploy/deploys.ts';
import type { DatabaseBase } from '../base.ts';

/** What a rotation works with: the apps of the database are deployed in it. */
export interface DeployingBase extends DatabaseBase {
  deploys: Deploys;
}
