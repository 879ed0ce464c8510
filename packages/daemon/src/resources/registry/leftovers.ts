/**
 * Handles the images of a deleted app if a new app gets the same name. The new app has the same repository in the
 * registry. Davit blocks this repository until it has removed the old images. So users of the new app cannot read
 * images of the deleted app.
 */
import { TOKEN_LEEWAY_S, TOKEN_LIFE_S } from '../../auth/registry-keys.ts';
import type { Reader } from '../../db/store.ts';
import { forgetRepository, leftRepositories, type ShownRepository } from '../../db/tables/repository.ts';
import type { RegistryDeps } from './deps.ts';

const TOKEN_MS = (TOKEN_LIFE_S + TOKEN_LEEWAY_S) * 1_000;

type Parts = Pick<RegistryDeps, 'registry' | 'store' | 'now'>;

/**
 * Removes the images of a deleted app if a new app has the same name. If necessary, first waits until the registry
 * tokens for the deleted app have expired. Otherwise, users with such a token could access the new app's images.
 * @returns milliseconds until the next removal, or `undefined` if nothing needs to be removed
 * @throws RegistryUnavailable
 */
export async function removeLeftovers({ registry, store, now }: Parts): Promise<number | undefined> {
  const due = dueNames(store, now());
  if (due.length > 0) {
    await registry.removeRepositories(due);
    store.tx((tx) => {
      // Keep the row if no app has the repository's name now. The row shows that a deleted app owned the repository.
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
 * Returns the earliest time at which Davit may remove the images of a deleted app. If the app's project was deleted
 * too, this is the time when all registry tokens for the deleted app have expired. Otherwise, the result is 0. Users
 * with such a token belong to the same project as the new app, so they may access the new app.
 */
function dueAt({ project_id, granted_at }: ShownRepository): number {
  return project_id === null ? (granted_at ?? 0) + TOKEN_MS : 0;
}
