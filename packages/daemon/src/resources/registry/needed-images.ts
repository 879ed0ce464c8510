/** Images of the instance's own registry that releases need, independent of their tags. */
import { canonicalReference } from '@davit/api';
import { registryHost } from '../../adapters/proxy/routes.ts';
import type { RepositoryTag } from '../../adapters/registry/registry.ts';
import type { Reader } from '../../db/store.ts';
import { allAppIds } from '../../db/tables/app.ts';
import { openDeployments, openDeploymentsOfApp } from '../../db/tables/deployment.ts';
import { appOfRelease, appSpec, isAlive, liveOf, neededImages } from '../../db/tables/release.ts';
import { releaseTagsBeyond } from '../../db/tables/release-tag.ts';
import type { RegistryDeps } from './deps.ts';

/**
 * Returns the repository of an image in the instance's own registry, or `null`. The registry has several host names.
 */
export function ownRepository(image: string, domain: string): string | null {
  const reference = canonicalReference(image);
  const [name = '', port] = reference?.host.split(':') ?? [];
  // The registry may have had another port at the time of the deployment.
  const isOwn = (name === 'localhost' && port !== undefined) || name === registryHost(domain);
  return isOwn && reference?.repository.split('/').length === 3 ? reference.repository : null;
}

/**
 * Returns the digests that must stay, by repository: of live releases, of possible rollbacks, and of deployments in
 * progress. An app can run a promoted image from the repository of another app.
 */
export function neededDigests({ store, settings, facts }: Pick<RegistryDeps, 'store' | 'settings' | 'facts'>) {
  const needed = new Map<string, Set<string>>();
  const add = (appId: number, { image, digest }: { image: string; digest: string | null }) => {
    const repository = ownRepository(image, facts.domain);
    if (repository === null || digest === null) return;
    // A promoted image is also in the app's own repository, to which the app's credential gives access.
    const own = appOfRelease(store, appId)?.reference ?? repository;
    for (const name of [repository, own]) needed.set(name, (needed.get(name) ?? new Set()).add(digest));
  };
  for (const id of allAppIds(store)) for (const row of neededImages(store, id, settings().images.keep)) add(id, row);
  for (const row of openDeployments(store)) add(row.app_id, row);
  return needed;
}

/** Returns why a tag must stay, as a sentence, or `null` if the tag may be removed. */
export function whyTagStays(db: Reader, app: { id: number }, tag: string): string | null {
  const live = liveOf(db, app.id);
  if (live?.tag === tag) return `${tag} is live with deployment ${live.id}. Deploy another release first.`;
  const open = openDeploymentsOfApp(db, app.id).find((row) => row.tag === tag);
  if (open !== undefined) return `Deployment ${open.id} of ${tag} is in progress. Wait for its end, or cancel it.`;
  const isPinned = appSpec(db, app.id)?.tag === tag;
  return isPinned ? `The app is pinned to ${tag}. Set another tag first.` : null;
}

/**
 * Returns the tags that exceed the kept number of each app and that nothing needs. A tag is needed if the tag itself or
 * its image is in use.
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
