/**
 * Prefix of the tags of platform images. A tag `davit/<name>:<instance>-…` keeps an image for an instance, and the
 * other tags `davit/<name>:…` are shared.
 */
import type { ImageInfo } from 'dockerode';
import type { DockerClient } from '../client/client.ts';
import { isStatus } from '../client/errors.ts';

const PREFIX = 'davit/';

/** Adds a tag to an image, or moves an existing tag to the image. */
export async function tagImage(docker: DockerClient, imageId: string, reference: string): Promise<void> {
  const [repo = '', tag = ''] = reference.split(':');
  const path = `/images/${imageId}/tag`;
  await docker.call({ doing: 'tag image', method: 'POST', path, query: { repo, tag } });
}

export interface ReleaseOptions {
  davitId: string;
  /** Names by the id of images that keep the tags of this instance. */
  used: ReadonlyMap<string, string>;
  /** Shared tags that new instances use and that are not removed. */
  current: ReadonlySet<string>;
}

/**
 * Removes this instance's tags from images that it does not use. Also removes the shared tags of such an image if no
 * other instance has a tag of it. The engine refuses to remove an image that a container was created from.
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
    // This instance's tags are removed last. After a crash, the next call finds the remaining work by these tags.
    for (const tag of [...shared, ...own]) await untagImage(docker, tag);
  }
}

/** Returns the id of the instance that keeps an image with this tag, or `null` for a shared tag. */
function ownerOf(tag: string): string | null {
  return /^davit\/[^:]+:([a-z0-9]{8})-[a-z0-9]+$/.exec(tag)?.[1] ?? null;
}

/** Removes a tag. The engine deletes the image with its last tag, unless a container was created from the image. */
export async function untagImage(docker: DockerClient, tag: string): Promise<void> {
  const call = { doing: 'untag image', method: 'DELETE', path: `/images/${tag}` } as const;
  await docker.call(call).catch((error: unknown) => {
    // The removal is not forced. Status 404 means that the tag does not exist. Status 409 means that this is the last
    // tag of an image that a container was created from.
    if (!isStatus(error, 404, 409)) throw error;
  });
}
