import { checkLimits } from './limits.ts';
import type { Scope } from './scope.ts';

/** Checks the CPU and memory limits of each object store. */
export function checkStores(scope: Scope): void {
  for (const [index, { limits }] of (scope.draft.stores ?? []).entries()) checkLimits(scope, limits, ['stores', index]);
}
