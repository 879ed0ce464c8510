/** Which images of the instance's own registry releases need, whatever their tags name by now. */
import { registryHost } from '../proxy/routes.ts';
import type { RepositoryTag } from '../registry/registry.ts';
import { allAppIds } from '../store/app.ts';
import { openDeployments, openDeploymentsOfApp } from '../store/deployment.ts';
import { appOfRelease, appSpec, isAlive, liveOf, neededImages } from '../store/release.ts';
import { releaseTagsBeyond } from '../store/release-tag.ts';
import type { Reader } from '../store/store.ts';
import type { Base } from './base.ts';

/** The repository that an image is in, when it is one of the instance's own registry by any of its names; else null. */
export function ownRepository(image: string, domain: string): string | null {
  const [host = '', ...path] = image.split('/');
  // Its port may have been another one when the deployment was made.
  const isOwn = /^(?:localhost|127\.0\.0\.1):\d+$/.test(host) || host.split(':')[0] === registryHost(domain);
  if (!isOwn || path.length !== 3) return null;
  return path.join('/').replace(/[:@].*$/, '');
}

/**
 * The digests that must stay, by repository: of everything that is live, can be gone back to, or is under way. An app
 * may run an image of another app's repository: a promoted one.
 */
export function neededDigests({ store, settings, facts }: Pick<Base, 'store' | 'settings' | 'facts'>) {
  const needed = new Map<string, Set<string>>();
  const add = ({ image, digest }: { image: string; digest: string | null }) => {
    const repository = ownRepository(image, facts.domain);
    if (repository === null || digest === null) return;
    const digests = needed.get(repository) ?? new Set();
    needed.set(repository, digests.add(digest));
  };
  for (const appId of allAppIds(store)) for (const row of neededImages(store, appId, settings().images.keep)) add(row);
  for (const row of openDeployments(store)) add(row);
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
  { store, settings }: Pick<Base, 'store' | 'settings'>,
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
