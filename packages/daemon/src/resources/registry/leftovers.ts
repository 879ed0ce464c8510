/**
 * Removes images that a deleted app left in its registry repository, if a new app has the same name. Before this
 * removal, no client can use the repository. Otherwise, users of the new app could pull images of the old app.
 */
import { TOKEN_LEEWAY_S, TOKEN_LIFE_S } from '../../auth/registry-keys.ts';
import type { Reader } from '../../db/store.ts';
import { forgetRepository, leftRepositories, type ShownRepository } from '../../db/tables/repository.ts';
import type { RegistryDeps } from './deps.ts';

const TOKEN_MS = (TOKEN_LIFE_S + TOKEN_LEEWAY_S) * 1_000;

type Parts = Pick<RegistryDeps, 'registry' | 'store' | 'now'>;

/**
 * If a new app has the name of a deleted app, removes the images of the deleted app from the repository. Waits until
 * all registry tokens for the deleted app have expired, because their users may have no access to the new app.
 * @returns milliseconds until the next removal, or `undefined` if no such images remain
 * @throws RegistryUnavailable
 */
export async function removeLeftovers({ registry, store, now }: Parts): Promise<number | undefined> {
  const due = dueNames(store, now());
  if (due.length > 0) {
    await registry.removeRepositories(due);
    store.tx((tx) => {
      // If the new app was deleted too, keep the repository's row, because the next app with this name needs it.
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

/**
 * Returns the time from which the images of a deleted app may be removed. If the project still exists, this is possible
 * at once, because users of the deleted app can also see the new app. Otherwise, all registry tokens for the deleted
 * app must expire first.
 */
function dueAt({ project_id, granted_at }: ShownRepository): number {
  return project_id === null ? (granted_at ?? 0) + TOKEN_MS : 0;
}
