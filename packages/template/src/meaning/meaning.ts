import { checkAdditions } from '../additions/additions.ts';
import { checkApps } from './apps.ts';
import { checkDatabases } from './databases.ts';
import { checkInputs } from './inputs.ts';
import { checkNames } from './names.ts';
import type { Scope } from './scope.ts';
import { checkStores } from './stores.ts';
import { checkMinCubeship } from './versions.ts';

/**
 * What the parts of a template say about each other, for a file whose shape is right. The order is promised: that of
 * the older format first, then what was added to it.
 */
export function checkMeaning(scope: Scope): void {
  checkNames(scope);
  checkMinCubeship(scope);
  checkInputs(scope);
  checkDatabases(scope);
  checkStores(scope);
  checkApps(scope);
  checkAdditions(scope);
}
