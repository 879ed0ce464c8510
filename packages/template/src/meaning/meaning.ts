import { checkAdditions } from '../additions/additions.ts';
import { checkApps } from './apps.ts';
import { checkDatabases } from './databases.ts';
import { checkInputs } from './inputs.ts';
import { checkNames } from './names.ts';
import type { Scope } from './scope.ts';
import { checkStores } from './stores.ts';
import { checkMinCubeship } from './versions.ts';

/**
 * Checks references and rules between the parts of a template. The keys and types must be valid. The checks of the
 * Cubeship format come first. The order is part of the contract.
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
