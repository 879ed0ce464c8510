import { DRY_RUN_OF_CHANGE } from '../views/deploy-plan.ts';
import { NO_WAIT } from './started-deployment.ts';

/**
 * Returns the options of a command that changes settings, variables or attachments of apps. `changeQuery` converts
 * these options to query parameters.
 * @param deploy description of the option `--deploy`
 */
export function changeOptions(deploy: string) {
  return { deploy: { description: deploy }, noWait: NO_WAIT, dryRun: DRY_RUN_OF_CHANGE };
}
