/** Whether pushes are taken at this moment, and a note of who may be in the registry. */
import type { RegistryAccess } from '../registry/registry.ts';
import { recordGrant } from '../store/repository.ts';
import type { Core } from './core.ts';

/** Why nobody may push now, in a sentence; null: pushes are taken. */
export async function whyNoPushNow({
  registry,
  diskGuard,
}: Pick<Core, 'registry' | 'diskGuard'>): Promise<string | null> {
  const full = diskGuard();
  if (full !== null) return full;
  const { readOnly } = await registry.status();
  return readOnly ? 'The registry takes no pushes while something is removed from it: push again in a minute.' : null;
}

/**
 * To be called with what a token grants, before it is given away: a collection leaves what may be pushed to alone, and an
 * app that is made anew under the name waits for the token's end.
 */
export function noteGrants({ store, now }: Pick<Core, 'store' | 'now'>, access: readonly RegistryAccess[]): void {
  if (access.length === 0) return;
  store.tx((tx) => {
    for (const { repository, actions } of access) {
      recordGrant(tx, { name: repository, at: now(), push: actions.includes('push') });
    }
  });
}
