/**
 * Removes the images of a deleted app before a new app with the same name may use the repository. Otherwise, users of
 * the new app could read old images.
 */
import { TOKEN_LEEWAY_S, TOKEN_LIFE_S } from '../../auth/registry-keys.ts';
import type { Reader } from '../../db/store.ts';
import { forgetRepository, leftRepositories, type ShownRepository } from '../../db/tables/repository.ts';
import type { RegistryDeps } from './deps.ts';

const TOKEN_MS = (TOKEN_LIFE_S + TOKEN_LEEWAY_S) * 1_000;

type Parts = Pick<RegistryDeps, 'registry' | 'store' | 'now'>;

/**
 * Removes images of deleted apps whose name a new app has.
 * @returns milliseconds until the next removal, or `undefined` for none
 * @throws RegistryUnavailable
 */
export async function removeLeftovers({ registry, store, now }: Parts): Promise<number | undefined> {
  const due = dueNames(store, now());
  if (due.length > 0) {
    await registry.removeRepositories(due);
    store.tx((tx) => {
      /*
       * Keep the database row of a repository without an app. The row shows that the repository belonged to a deleted
       * app.
       */
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
 * Returns the time at which the images may be removed, or 0 if they may be removed now. If the project was deleted, the
 * registry tokens of its users must expire first.
 */
function dueAt({ project_id, granted_at }: ShownRepository): number {
  return project_id === null ? (granted_at ?? 0) + TOKEN_MS : 0;
}
