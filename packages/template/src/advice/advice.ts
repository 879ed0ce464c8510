import type { Scope } from '../meaning/scope.ts';
import { adviseApps } from './apps.ts';
import { adviseData } from './data.ts';
import { adviseDatabases } from './databases.ts';
import { adviseIgnoredReferences } from './ignored-references.ts';
import { adviseInputs } from './inputs.ts';
import { adviseNames } from './names.ts';
import { adviseReach } from './reach.ts';
import { adviseSources } from './sources.ts';
import { adviseTexts } from './texts.ts';
import { adviseUnused } from './unused.ts';
import { adviseVersions } from './versions.ts';

/** Adds advice for the author of a template. A template with advice is still valid. */
export function giveAdvice(scope: Scope): void {
  // The older platform Cubeship gives the same advice in this order. Therefore, these two calls must come first.
  adviseDatabases(scope);
  adviseApps(scope);

  adviseVersions(scope);
  adviseNames(scope);
  adviseInputs(scope);
  adviseData(scope);
  adviseSources(scope);
  adviseReach(scope);
  adviseTexts(scope);
  adviseIgnoredReferences(scope);
  adviseUnused(scope);
}
