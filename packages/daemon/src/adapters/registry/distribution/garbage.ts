/**
 * Finds and removes unused files of the registry. Davit does not use the registry's own command `garbage-collect` for
 * three reasons:
 * - The command does not know the releases to which users may roll back.
 * - With `--delete-untagged`, the command also removes the images of an image index that is kept.
 * - The command removes blobs that a running push has already uploaded, so the push fails.
 *
 * Davit keeps three kinds of data:
 * - manifests that have a tag or are in `CollectionRequest.keep`, with all blobs that they reference
 * - all data of a repository to which a push may be running
 * - recently written data
 *
 * Links are removed before the blobs that they point to. If the removal is interrupted, unused blobs may remain, but no
 * link points to a missing blob.
 */
import type { Collected, CollectionRequest } from '../registry.ts';
import { digestsIn } from './manifests.ts';
import type { RegistryStorage, StoredLink, StoredUpload } from './storage.ts';

/**
 * Maximum age in milliseconds of an unfinished upload. An older upload is removed even if a push to its repository may
 * be running.
 */
const UPLOAD_KEPT_MS = 24 * 60 * 60_000;

export interface Garbage {
  tags: CollectionRequest['tags'];
  repositories: readonly string[];
  /**
   * Unused manifests to remove. Manifests of the repositories in `repositories` are not listed, because these
   * repositories are removed completely.
   */
  revisions: { repository: string; digest: string }[];
  layers: { repository: string; digest: string }[];
  uploads: StoredUpload[];
  blobs: string[];
  freedBytes: number;
}

/**
 * Finds unused data of the registry without changing anything. The result is valid only until the next push.
 * @param at current time in milliseconds since the epoch
 */
export async function findGarbage(storage: RegistryStorage, request: CollectionRequest, at: number): Promise<Garbage> {
  const youngSince = at - request.youngMs;
  const gone = new Set(request.repositories);
  const garbage: Garbage = { ...request, revisions: [], layers: [], uploads: [], blobs: [], freedBytes: 0 };
  const needed = new Set<string>();
  for (const repository of await storage.repositories()) {
    if (gone.has(repository)) continue;
    await sort(storage, repository, request, youngSince, garbage, needed);
    const uploads = await storage.uploads(repository);
    /*
     * If a push to the repository may be running, keeps uploads that are not older than `UPLOAD_KEPT_MS`. An older
     * upload belongs to a push that failed, and is removed even while another push is running.
     */
    const leftSince = request.spare.has(repository) ? at - UPLOAD_KEPT_MS : youngSince;
    garbage.uploads.push(...uploads.filter(({ touchedAt }) => touchedAt < leftSince));
  }
  for await (const { digest, bytes, writtenAt } of storage.blobs()) {
    if (needed.has(digest) || writtenAt > youngSince) continue;
    garbage.blobs.push(digest);
    garbage.freedBytes += bytes;
  }
  garbage.freedBytes += garbage.uploads.reduce((sum, { bytes }) => sum + bytes, 0);
  return garbage;
}

/**
 * Removes the unused registry data that `findGarbage` returned. The caller must block pushes from the call of
 * `findGarbage` until this function has ended, because a push could start to use the data.
 */
export async function removeGarbage(storage: RegistryStorage, garbage: Garbage): Promise<Collected> {
  for (const { repository, tag } of garbage.tags) await storage.removeTag(repository, tag);
  for (const repository of garbage.repositories) await storage.removeRepository(repository);
  for (const { repository, digest } of garbage.revisions) await storage.removeRevision(repository, digest);
  for (const { repository, digest } of garbage.layers) await storage.removeLayer(repository, digest);
  for (const upload of garbage.uploads) await storage.removeUpload(upload);
  for (const digest of garbage.blobs) await storage.removeBlob(digest);
  return collected(garbage);
}

export function collected({ revisions, blobs, freedBytes }: Garbage): Collected {
  return { manifests: revisions.length, blobs: blobs.length, freedBytes };
}

/** Sorts the data of one repository: data to keep is added to `needed`, unused data to `garbage`. */
async function sort(
  storage: RegistryStorage,
  repository: string,
  request: CollectionRequest,
  youngSince: number,
  garbage: Garbage,
  needed: Set<string>,
): Promise<void> {
  const revisions = await storage.revisions(repository);
  const layers = await storage.layers(repository);
  if (request.spare.has(repository)) {
    for (const { digest } of layers) needed.add(digest);
    for (const { digest } of revisions) await addAll(storage, digest, needed);
    return;
  }
  const going = new Set(request.tags.flatMap((one) => (one.repository === repository ? [one.tag] : [])));
  const tags = [...(await storage.tags(repository))].flatMap(([tag, digest]) => (going.has(tag) ? [] : [digest]));
  const young = revisions.filter(({ writtenAt }) => writtenAt > youngSince);
  const roots = [...tags, ...(request.keep.get(repository) ?? []), ...young.map(({ digest }) => digest)];
  const kept = await closure(storage, roots, new Set(revisions.map(({ digest }) => digest)));
  for (const digest of kept) needed.add(digest);
  // If the registry already has a blob, a push does not write it again. The push only writes a link to the blob.
  // Keeps an old layer if a repository started to use it recently, because a running push may need the layer.
  for (const { digest, writtenAt } of layers) if (writtenAt > youngSince) needed.add(digest);
  const isGarbage = ({ digest, writtenAt }: StoredLink) => !kept.has(digest) && writtenAt <= youngSince;
  const own = ({ digest }: StoredLink) => ({ repository, digest });
  garbage.revisions.push(...revisions.filter(isGarbage).map(own));
  garbage.layers.push(...layers.filter(isGarbage).map(own));
}

/**
 * Returns the digests of the given manifests and of all their layers, configurations and manifests. Also follows
 * manifests that refer to other manifests of the repository.
 */
async function closure(storage: RegistryStorage, roots: string[], revisions: Set<string>): Promise<Set<string>> {
  const found = new Set<string>();
  const waiting = roots.filter((digest) => revisions.has(digest));
  for (let digest = waiting.pop(); digest !== undefined; digest = waiting.pop()) {
    if (found.has(digest)) continue;
    const named = await namedBy(storage, digest);
    found.add(digest);
    for (const one of named) {
      if (revisions.has(one)) waiting.push(one);
      else found.add(one);
    }
  }
  return found;
}

async function addAll(storage: RegistryStorage, digest: string, needed: Set<string>): Promise<void> {
  needed.add(digest);
  for (const named of await namedBy(storage, digest)) needed.add(named);
}

async function namedBy(storage: RegistryStorage, digest: string): Promise<Set<string>> {
  return digestsIn((await storage.manifest(digest)) ?? '');
}
