import { canonicalReference } from '@davit/api';
import { registryHost } from '../../adapters/proxy/routes.ts';
import type { RepositoryTag } from '../../adapters/registry/registry.ts';
import type { Reader } from '../../db/store.ts';
import { allAppIds } from '../../db/tables/app.ts';
import { openDeployments, openDeploymentsOfApp } from '../../db/tables/deployment.ts';
import { artifactTagsBeyond } from '../../db/tables/push.ts';
import { appOfRelease, appSpec, isAlive, liveOf, neededImages } from '../../db/tables/release.ts';
import { releaseTagsBeyond } from '../../db/tables/release-tag.ts';
import type { RegistryDeps } from './deps.ts';

/**
 * Returns the repository name of an image in the instance's registry. The image name may start with `localhost` or the
 * public host name. Returns `null` for other registries.
 */
export function ownRepository(image: string, domain: string): string | null {
  const reference = canonicalReference(image);
  const [name = '', port] = reference?.host.split(':') ?? [];
  // Accept any port in the image name, because the port of the registry may have changed since the deployment.
  const isOwn = (name === 'localhost' && port !== undefined) || name === registryHost(domain);
  return isOwn && reference?.repository.split('/').length === 3 ? reference.repository : null;
}

/**
 * Returns the digests that must stay in the registry, by repository. They belong to live releases, possible rollbacks
 * and unfinished deployments.
 */
export function neededDigests({ store, settings, facts }: Pick<RegistryDeps, 'store' | 'settings' | 'facts'>) {
  const needed = new Map<string, Set<string>>();
  const add = (appId: number, { image, digest }: { image: string; digest: string | null }) => {
    const repository = ownRepository(image, facts.domain);
    if (repository === null || digest === null) return;
    // Also keep the image in the app's own repository, because the app can pull only from this repository.
    const own = appOfRelease(store, appId)?.reference ?? repository;
    for (const name of [repository, own]) needed.set(name, (needed.get(name) ?? new Set()).add(digest));
  };
  for (const id of allAppIds(store)) for (const row of neededImages(store, id, settings().images.keep)) add(id, row);
  for (const row of openDeployments(store)) add(row.app_id, row);
  return needed;
}

/** Returns an error message if a tag must not be removed. Otherwise, returns `null`. */
export function whyTagStays(db: Reader, app: { id: number }, tag: string): string | null {
  const live = liveOf(db, app.id);
  if (live?.tag === tag) return `${tag} is live with deployment ${live.id}. Deploy another release first.`;
  const open = openDeploymentsOfApp(db, app.id).find((row) => row.tag === tag);
  if (open !== undefined) return `Deployment ${open.id} of ${tag} is in progress. Wait for its end, or cancel it.`;
  const isPinned = appSpec(db, app.id)?.tag === tag;
  return isPinned ? `The app is pinned to ${tag}. Set another tag first.` : null;
}

/**
 * Returns old tags that may be removed. For each app, its newest tags and all tags in use are kept.
 * @param needed digests that must stay, by repository
 */
export function spareTags(
  { store, settings }: Pick<RegistryDeps, 'store' | 'settings'>,
  needed: ReadonlyMap<string, ReadonlySet<string>>,
): RepositoryTag[] {
  const kept = settings().registry.keep_tags;
  if (kept === 0) return [];
  return allAppIds(store).flatMap((appId) => {
    // Limit images and other artifacts separately. Otherwise, many signatures could cause the removal of images.
    const beyond = [...releaseTagsBeyond(store, appId, kept), ...artifactTagsBeyond(store, appId, kept)];
    const app = beyond.length > 0 && isAlive(store, appId) ? appOfRelease(store, appId) : undefined;
    if (app === undefined) return [];
    const repository = app.reference;
    const digests = needed.get(repository);
    const isSpare = (row: { tag: string; digest: string }) =>
      !digests?.has(row.digest) && whyTagStays(store, app, row.tag) === null;
    return beyond.filter(isSpare).map(({ tag }) => ({ repository, tag }));
  });
}
