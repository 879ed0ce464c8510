/** Which images of the instance's own registry releases need, whatever their tags name by now. */
import { canonicalReference } from '@davit/api';
import { registryHost } from '../../adapters/proxy/routes.ts';
import type { RepositoryTag } from '../../adapters/registry/registry.ts';
import type { Reader } from '../../db/store.ts';
import { allAppIds } from '../../db/tables/app.ts';
import { openDeployments, openDeploymentsOfApp } from '../../db/tables/deployment.ts';
import { appOfRelease, appSpec, isAlive, liveOf, neededImages } from '../../db/tables/release.ts';
import { releaseTagsBeyond } from '../../db/tables/release-tag.ts';
import type { RegistryDeps } from './deps.ts';

/** The repository that an image is in, when it is one of the instance's own registry by any of its names; else null. */
export function ownRepository(image: string, domain: string): string | null {
  const reference = canonicalReference(image);
  const [name = '', port] = reference?.host.split(':') ?? [];
  // Its port may have been another one when the deployment was made.
  const isOwn = (name === 'localhost' && port !== undefined) || name === registryHost(domain);
  return isOwn && reference?.repository.split('/').length === 3 ? reference.repository : null;
}

/**
 * The digests that must stay, by repository: of everything that is live, can be gone back to, or is under way. An app
 * may run an image of another app's repository: a promoted one.
 */
export function neededDigests({ store, settings, facts }: Pick<RegistryDeps, 'store' | 'settings' | 'facts'>) {
  const needed = new Map<string, Set<string>>();
  const add = (appId: number, { image, digest }: { image: string; digest: string | null }) => {
    const repository = ownRepository(image, facts.domain);
    if (repository === null || digest === null) return;
    // A promoted image is in the app's own repository too, where the app's credential reaches it.
    const own = appOfRelease(store, appId)?.reference ?? repository;
    for (const name of [repository, own]) needed.set(name, (needed.get(name) ?? new Set()).add(digest));
  };
  for (const id of allAppIds(store)) for (const row of neededImages(store, id, settings().images.keep)) add(id, row);
  for (const row of openDeployments(store)) add(row.app_id, row);
  return needed;
}

/** Why a tag must stay what it is called, in a sentence; null: it need not. */
export function whyTagStays(db: Reader, app: { id: number }, tag: string): string | null {
  const live = liveOf(db, app.id);
  if (live?.tag === tag) return `${tag} is live, by deployment ${live.id}: deploy another release first.`;
  const open = openDeploymentsOfApp(db, app.id).find((row) => row.tag === tag);
  if (open !== undefined) return `Deployment ${open.id} is bringing ${tag} up: wait for it, or cancel it.`;
  const isPinned = appSpec(db, app.id)?.tag === tag;
  return isPinned ? `The app is pinned to ${tag}: set its tag to another one first.` : null;
}

/**
 * The tags that are beyond the number that is kept of each app, and that nothing needs: neither is the tag itself in use,
 * nor the image that it names.
 * @param needed digests, by repository
 */
export function spareTags(
  { store, settings }: Pick<RegistryDeps, 'store' | 'settings'>,
  needed: ReadonlyMap<string, ReadonlySet<string>>,
): RepositoryTag[] {
  const kept = settings().registry.keep_tags;
  if (kept === 0) return [];
  return allAppIds(store).flatMap((appId) => {
    const beyond = releaseTagsBeyond(store, appId, kept);
    const app = beyond.length > 0 && isAlive(store, appId) ? appOfRelease(store, appId) : undefined;
    if (app === undefined) return [];
    const repository = app.reference;
    const digests = needed.get(repository);
    const isSpare = (row: { tag: string; digest: string }) =>
      !digests?.has(row.digest) && whyTagStays(store, app, row.tag) === null;
    return beyond.filter(isSpare).map(({ tag }) => ({ repository, tag }));
  });
}
