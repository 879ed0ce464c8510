import { checkAdditions } from '../additions/additions.ts';
import { checkApps } from './apps.ts';
import { checkDatabases } from './databases.ts';
import { checkInputs } from './inputs.ts';
import { checkNames } from './names.ts';
import type { Scope } from './scope.ts';
import { checkStores } from './stores.ts';
import { checkMinCubeship } from './versions.ts';

/**
 * Checks rules that concern several parts of a template with valid keys and types. Clients rely on the order of the
 * reported problems.
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
