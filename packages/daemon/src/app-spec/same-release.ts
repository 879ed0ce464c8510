import { isDeepStrictEqual } from 'node:util';
import type { AppSpec } from '@davit/api';
import type { AppTarget } from './app-target.ts';
import type { AppSpecDeps } from './deps.ts';
import { readRevisionSpec, storedRevision } from './revision.ts';
import { unlessBroken } from './unsealed.ts';

/**
 * Returns whether the settings and variables of an app are equal now and in an earlier revision. Ignores scale, limits
 * and labels, because they take effect without a deployment. Returns `false` if the variables cannot be decrypted.
 * @throws Error if the revision does not exist, which is a bug
 */
export function isSameRelease(
  core: Pick<AppSpecDeps, 'store' | 'sealer'>,
  { id, revision, spec }: Pick<AppTarget, 'id' | 'revision' | 'spec'>,
  earlier: number,
): boolean {
  return core.store.memo(`same release ${id} ${revision} ${earlier}`, () => {
    if (!isDeepStrictEqual(ofRelease(readRevisionSpec(core, id, earlier)), ofRelease(spec))) return false;
    const variables = (number: number) => valuesOf(core, id, number);
    return unlessBroken(() => isDeepStrictEqual(variables(earlier), variables(revision))) ?? false;
  });
}

/** Returns only the settings that need a deployment to take effect. */
function ofRelease({ scale: _s, limits: _l, labels: _n, ...rest }: AppSpec): Partial<AppSpec> {
  return rest;
}

/**
 * Returns the values of the variables in a revision. Does not return which variables are secret, because containers do
 * not depend on this.
 */
function valuesOf(core: Pick<AppSpecDeps, 'store' | 'sealer'>, appId: number, revision: number): Map<string, string> {
  return new Map(storedRevision(core, appId, revision).variables.map(({ key, value }) => [key, value]));
}
