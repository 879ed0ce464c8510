/** Tags of platform images: `davit/<name>:<instance>-…` keeps an image for an instance, `davit/<name>:…` is shared. */
import type { ImageInfo } from 'dockerode';
import type { DockerClient } from '../client/client.ts';
import { isStatus } from '../client/errors.ts';

const PREFIX = 'davit/';

/** Gives an image a tag, or moves the tag there. */
export async function tagImage(docker: DockerClient, imageId: string, reference: string): Promise<void> {
  const [repo = '', tag = ''] = reference.split(':');
  const path = `/images/${imageId}/tag`;
  await docker.call({ doing: 'tag image', method: 'POST', path, query: { repo, tag } });
}

export interface ReleaseOptions {
  davitId: string;
  /** Ids of images that keep this instance's tags. */
  used: ReadonlyMap<string, string>;
  /** Shared tags that new instances look for; they stay. */
  current: ReadonlySet<string>;
}

/**
 * Removes this instance's tags of images that it does not use, and the shared tags of such an image if no other instance
 * has a tag of it. The engine itself refuses to remove an image that a container was made from.
 */
export async function removeUnusedTags(
  docker: DockerClient,
  { davitId, used, current }: ReleaseOptions,
): Promise<void> {
  const images = await docker.call<ImageInfo[]>({ doing: 'list images', path: '/images/json' });
  for (const { Id, RepoTags } of images) {
    if (used.has(Id)) continue;
    const tags = (RepoTags ?? []).filter((tag) => tag.startsWith(PREFIX));
    const own = tags.filter((tag) => ownerOf(tag) === davitId);
    if (own.length === 0) continue;
    const isOthers = tags.some((tag) => ownerOf(tag) !== null && ownerOf(tag) !== davitId);
    const shared = isOthers ? [] : tags.filter((tag) => ownerOf(tag) === null && !current.has(tag));
    // Its own come last: what a crash leaves in between is found by them.
    for (const tag of [...shared, ...own]) await untagImage(docker, tag);
  }
}

/** The id of the instance that keeps an image by this tag; null for a shared tag. */
function ownerOf(tag: string): string | null {
  return /^davit\/[^:]+:([a-z0-9]{8})-[a-z0-9]+$/.exec(tag)?.[1] ?? null;
}

/** Removes a tag. The image goes with its last tag, unless a container was made from it. */
export async function untagImage(docker: DockerClient, tag: string): Promise<void> {
  const call = { doing: 'untag image', method: 'DELETE', path: `/images/${tag}` } as const;
  await docker.call(call).catch((error: unknown) => {
    // Not forced. 404: it is gone; 409: a container was made from the image, and this is its last tag.
    if (!isStatus(error, 404, 409)) throw error;
  });
}
