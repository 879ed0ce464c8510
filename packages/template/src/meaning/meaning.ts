import { checkAdditions } from '../additions/additions.ts';
import { checkApps } from './apps.ts';
import { checkDatabases } from './databases.ts';
import { checkInputs } from './inputs.ts';
import { checkNames } from './names.ts';
import type { Scope } from './scope.ts';
import { checkStores } from './stores.ts';
import { checkMinCubeship } from './versions.ts';

/**
 * Checks the references and rules between the parts of a template with a valid shape. The order of the checks is part
 * of the contract: the checks of the older format come first, and then those of the additions.
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
