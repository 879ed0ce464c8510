import { checkAdditions } from '../additions/additions.ts';
import { checkApps } from './apps.ts';
import { checkDatabases } from './databases.ts';
import { checkInputs } from './inputs.ts';
import { checkNames } from './names.ts';
import type { Scope } from './scope.ts';
import { checkStores } from './stores.ts';
import { checkMinCubeship } from './versions.ts';

/**
 * Checks rules about relations between the parts of a template whose keys and types are already valid. The order of the
 * checks must not change, because clients rely on the order of the problems.
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
