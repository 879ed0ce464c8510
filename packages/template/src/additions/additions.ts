import type { Scope } from '../meaning/scope.ts';
import { checkCommands } from './commands.ts';
import { checkConditions } from './conditions.ts';
import { checkDependencies } from './dependencies.ts';
import { checkFiles } from './files.ts';
import { checkJobs } from './jobs.ts';
import { checkMinVersion } from './min-version.ts';
import { checkNeeds } from './needs.ts';
import { checkOwnJobs } from './own-jobs.ts';
import { checkSecrets } from './secrets.ts';
import { checkAddedTexts } from './texts.ts';
import { checkVolumeSizes } from './volume-sizes.ts';
import { checkWorkers } from './workers.ts';

/**
 * Checks the features that Davit has added to the template format of the older platform Cubeship, such as conditions,
 * files and jobs.
 */
export function checkAdditions(scope: Scope): void {
  checkMinVersion(scope);
  checkConditions(scope);
  checkSecrets(scope);
  checkFiles(scope);
  checkVolumeSizes(scope);
  checkJobs(scope);
  checkDependencies(scope);
  checkOwnJobs(scope);
  checkAddedTexts(scope);
  checkCommands(scope);
  checkWorkers(scope);
  checkNeeds(scope);
}
