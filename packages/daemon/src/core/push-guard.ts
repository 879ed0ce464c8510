/** Whether pushes are taken at this moment, and a note of those that may be under way. */
import type { RegistryAccess } from '../registry/registry.ts';
import { recordPushGrant } from '../store/repository.ts';
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

/** To be called with what a token grants, before it is given away: a collection leaves what may be pushed to alone. */
export function notePushGrants({ store, now }: Pick<Core, 'store' | 'now'>, access: readonly RegistryAccess[]): void {
  const pushed = access.filter(({ actions }) => actions.includes('push'));
  if (pushed.length === 0) return;
  store.tx((tx) => {
    for (const { repository } of pushed) recordPushGrant(tx, repository, now());
  });
}
