/**
 * What an earlier app left in the registry where another app is now: it is removed before anybody is let in there, so
 * that nobody reads what was pushed for somebody else.
 */
import { TOKEN_LEEWAY_S, TOKEN_LIFE_S } from '../../auth/registry-keys.ts';
import type { Reader } from '../../db/store.ts';
import { forgetRepository, leftRepositories, type ShownRepository } from '../../db/tables/repository.ts';
import type { RegistryDeps } from './deps.ts';

const TOKEN_MS = (TOKEN_LIFE_S + TOKEN_LEEWAY_S) * 1_000;

type Parts = Pick<RegistryDeps, 'registry' | 'store' | 'now'>;

/**
 * Removes it, as soon as nobody has a token for it who must not see the new app either.
 * @returns in how many milliseconds there is more to be removed; undefined: there is none
 * @throws RegistryUnavailable
 */
export async function removeLeftovers({ registry, store, now }: Parts): Promise<number | undefined> {
  const due = dueNames(store, now());
  if (due.length > 0) {
    await registry.removeRepositories(due);
    store.tx((tx) => {
      // An app may have been deleted meanwhile: whose it was is still to be known for the next one.
      const still = new Set(leftRepositories(tx).map(({ name }) => name));
      for (const name of due) if (still.has(name)) forgetRepository(tx, name);
      tx.event({ kind: 'instance', data: { change: 'registry.repositories' } });
    });
  }
  const waits = leftRepositories(store).map((left) => Math.max(1, dueAt(left) - now()));
  return waits.length === 0 ? undefined : Math.min(...waits);
}

function dueNames(db: Reader, at: number): string[] {
  return leftRepositories(db).flatMap((left) => (dueAt(left) <= at ? [left.name] : []));
}

/** Who could see the old app of the same project sees the new one as well: his token gives him nothing that is not his. */
function dueAt({ project_id, granted_at }: ShownRepository): number {
  return project_id === null ? (granted_at ?? 0) + TOKEN_MS : 0;
}
