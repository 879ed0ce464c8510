/** Checks whether the instance's registry accepts pushes, and saves which credentials may push. */
import { DavitError } from '@davit/api';
import type { RegistryAccess } from '../../adapters/registry/registry.ts';
import type { Actor } from '../../auth/context.ts';
import { recordPushGrant } from '../../db/tables/push-credential.ts';
import { recordGrant } from '../../db/tables/repository.ts';
import { demandDisk } from '../../quotas/quota.ts';
import { registryAppBy } from '../registry/rights.ts';
import type { PushesDeps } from './deps.ts';

/**
 * Returns an error message if the registry accepts no pushes now. Otherwise, returns `null`. Reasons are a full disk
 * and a running garbage collection.
 */
export async function whyNoPushNow({
  registry,
  diskGuard,
}: Pick<PushesDeps, 'registry' | 'diskGuard'>): Promise<string | null> {
  const full = diskGuard();
  if (full !== null) return full;
  const { readOnly } = await registry.status();
  return readOnly ? 'The registry accepts no pushes while images are removed from it. Push again in a minute.' : null;
}

/** Returns an error message if the disk quota of a project forbids a push. Otherwise, returns `null`. */
export function whyNoRoom({ store }: Pick<PushesDeps, 'store'>, access: readonly RegistryAccess[]): string | null {
  try {
    for (const { repository, actions } of access) {
      const app = actions.includes('push') ? registryAppBy(store, repository) : undefined;
      if (app !== undefined) demandDisk(store, app.project.id);
    }
    return null;
  } catch (error) {
    if (error instanceof DavitError && error.code === 'quota_exceeded') return error.message;
    throw error;
  }
}

/**
 * Saves the permissions of a registry token before Davit issues the token. Garbage collection then skips repositories
 * for which a token is valid. Davit can determine when all tokens for a deleted app have expired. At the end of a push,
 * Davit can check the user's credential again.
 * @returns id of the saved credential, or `null` if the token does not allow a push
 */
export function noteGrants(
  { store, now }: Pick<PushesDeps, 'store' | 'now'>,
  caller: Actor,
  access: readonly RegistryAccess[],
): number | null {
  if (access.length === 0) return null;
  const at = now();
  const repositories = access.flatMap(({ repository, actions }) => (actions.includes('push') ? [repository] : []));
  return store.tx((tx) => {
    for (const { repository } of access) {
      recordGrant(tx, { name: repository, at, push: repositories.includes(repository) });
    }
    return repositories.length === 0 ? null : recordPushGrant(tx, { ...provenBy(caller), repositories, at });
  });
}

/** Returns the credential with which a user pushes. It is an API key, or the user's password if `keyId` is `null`. */
function provenBy({ userId, username, credential }: Actor) {
  if (userId === null) throw new Error(`${username} is not a user and cannot push`);
  const key = credential?.kind === 'key' ? credential : null;
  return { userId, username, keyId: key?.id ?? null, expiresAt: key?.expiresAt ?? null };
}
