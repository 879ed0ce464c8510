/** Whether pushes are taken at this moment, and a note of who may be in the registry. */
import { DavitError } from '@davit/api';
import type { RegistryAccess } from '../../adapters/registry/registry.ts';
import type { Actor } from '../../auth/context.ts';
import { recordPushGrant } from '../../db/tables/push-credential.ts';
import { recordGrant } from '../../db/tables/repository.ts';
import { demandDisk } from '../../quotas/quota.ts';
import { registryAppBy } from '../registry/rights.ts';
import type { PushesDeps } from './deps.ts';

/** Why nobody may push now, in a sentence; null: pushes are taken. */
export async function whyNoPushNow({
  registry,
  diskGuard,
}: Pick<PushesDeps, 'registry' | 'diskGuard'>): Promise<string | null> {
  const full = diskGuard();
  if (full !== null) return full;
  const { readOnly } = await registry.status();
  return readOnly ? 'The registry takes no pushes while something is removed from it: push again in a minute.' : null;
}

/** Why the disk quota of a project allows no push to its repositories, in sentences; `null` if it does. */
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
 * To be called with what a token grants, before it is given away: a collection leaves what may be pushed to alone, an
 * app that is made anew under the name waits for the token's end, and a push is judged by the credential when it ends.
 * @returns the number of the push credential; null for a token that allows no push
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

/** An API key, or the password where there is no key. */
function provenBy({ userId, username, credential }: Actor) {
  if (userId === null) throw new Error(`${username} is no account, and cannot push`);
  const key = credential?.kind === 'key' ? credential : null;
  return { userId, username, keyId: key?.id ?? null, expiresAt: key?.expiresAt ?? null };
}
