import type { Scope } from '../meaning/scope.ts';
import { adviseApps } from './apps.ts';
import { adviseData } from './data.ts';
import { adviseDatabases } from './databases.ts';
import { adviseInputs } from './inputs.ts';
import { adviseNames } from './names.ts';
import { advisePlaces } from './places.ts';
import { adviseReach } from './reach.ts';
import { adviseSources } from './sources.ts';
import { adviseTexts } from './texts.ts';
import { adviseUnused } from './unused.ts';
import { adviseVersions } from './versions.ts';

/**
 * Adds advice on a template to the diagnostics. Advice never makes a template invalid. The advice that the older
 * platform Cubeship also gives comes first, in the same order.
 */
export function giveAdvice(scope: Scope): void {
  adviseDatabases(scope);
  adviseApps(scope);

  adviseVersions(scope);
  adviseNames(scope);
  adviseInputs(scope);
  adviseData(scope);
  adviseSources(scope);
  adviseReach(scope);
  adviseTexts(scope);
  advisePlaces(scope);
  adviseUnused(scope);
}
