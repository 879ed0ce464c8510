/**
 * Finds and removes unused files of the registry. The registry's own command `garbage-collect` would also remove data
 * that Davit needs: releases for rollbacks, images of kept indexes, and blobs of running pushes.
 */
import type { Collected, CollectionRequest } from '../registry.ts';
import { digestsIn } from './manifests.ts';
import type { RegistryStorage, StoredLink, StoredUpload } from './storage.ts';

/**
 * Maximum age of an unfinished upload in milliseconds. An older upload is removed even if a push to its repository may
 * be running.
 */
const UPLOAD_KEPT_MS = 24 * 60 * 60_000;

export interface Garbage {
  tags: CollectionRequest['tags'];
  repositories: readonly string[];
  /**
   * Unused manifests to remove. The list omits manifests of the repositories in `repositories`, because these
   * repositories are removed completely.
   */
  revisions: { repository: string; digest: string }[];
  layers: { repository: string; digest: string }[];
  uploads: StoredUpload[];
  blobs: string[];
  freedBytes: number;
}

/**
 * Finds unused data of the registry. Tags, the manifests in `keep`, their blobs, and recent data are kept. The
 * repositories in `spare` are also kept, because pushes to these repositories may be running.
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
     * If a push to the repository may be running, recent uploads are kept. Uploads older than `UPLOAD_KEPT_MS` are
     * removed, because their pushes have failed.
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
 * Removes the data that `findGarbage` returned. From the `findGarbage` call until the end of the removal, the caller
 * must block pushes, because a push could use the data.
 */
export async function removeGarbage(storage: RegistryStorage, garbage: Garbage): Promise<Collected> {
  // Links are removed before blobs. If the removal is interrupted, no link points to a missing blob.
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

/** Separates the data of one repository. Data to keep is added to `needed`, and unused data is added to `garbage`. */
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
  // Keeps layers with a recent link, because a running push may have linked an existing blob instead of uploading it.
  for (const { digest, writtenAt } of layers) if (writtenAt > youngSince) needed.add(digest);
  const isGarbage = ({ digest, writtenAt }: StoredLink) => !kept.has(digest) && writtenAt <= youngSince;
  const own = ({ digest }: StoredLink) => ({ repository, digest });
  garbage.revisions.push(...revisions.filter(isGarbage).map(own));
  garbage.layers.push(...layers.filter(isGarbage).map(own));
}

/**
 * Returns the digests of the given manifests and of all layers, configurations and manifests that they contain,
 * recursively.
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
