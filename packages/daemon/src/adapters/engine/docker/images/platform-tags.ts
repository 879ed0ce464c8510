/**
 * Tags of the images that Davit builds. A tag `davit/<name>:<instance>-…` belongs to one Davit instance. All Davit
 * instances share the other tags.
 */
import type { ImageInfo } from 'dockerode';
import type { DockerClient } from '../client/client.ts';
import { isStatus } from '../client/errors.ts';

/** Prefix of the tags of all images that Davit builds. */
export const PLATFORM_PREFIX = 'davit/';

/** Adds a tag to an image. If another image already has the tag, the tag moves to the given image. */
export async function tagImage(docker: DockerClient, imageId: string, reference: string): Promise<void> {
  const [repo = '', tag = ''] = reference.split(':');
  const path = `/images/${imageId}/tag`;
  await docker.call({ doing: 'tag image', method: 'POST', path, query: { repo, tag } });
}

export interface ReleaseOptions {
  davitId: string;
  /**
   * Map from image id to image name, for all images that this Davit instance uses. The tags of these images are not
   * removed.
   */
  used: ReadonlyMap<string, string>;
  /** Shared tags of current images. These tags are kept, because new Davit instances use them. */
  current: ReadonlySet<string>;
}

/**
 * Removes this Davit instance's tags from unused images, so that Docker deletes the images. If no other instance needs
 * an image, its old shared tags are also removed.
 */
export async function removeUnusedTags(
  docker: DockerClient,
  { davitId, used, current }: ReleaseOptions,
): Promise<void> {
  const images = await docker.call<ImageInfo[]>({ doing: 'list images', path: '/images/json' });
  for (const { Id, RepoTags } of images) {
    if (used.has(Id)) continue;
    const tags = (RepoTags ?? []).filter((tag) => tag.startsWith(PLATFORM_PREFIX));
    const own = tags.filter((tag) => instanceOfTag(tag) === davitId);
    if (own.length === 0) continue;
    const isOthers = tags.some((tag) => instanceOfTag(tag) !== null && instanceOfTag(tag) !== davitId);
    const shared = isOthers ? [] : tags.filter((tag) => instanceOfTag(tag) === null && !current.has(tag));
    /*
     * The tags of this Davit instance are removed last. If the daemon crashes before, the next call still finds the
     * image by these tags.
     */
    for (const tag of [...shared, ...own]) await untagImage(docker, tag);
  }
}

/** Returns the id of the Davit instance that owns a tag, or `null` for a shared tag. */
export function instanceOfTag(tag: string): string | null {
  return /^davit\/[^:]+:([a-z0-9]{8})-[a-z0-9]+$/.exec(tag)?.[1] ?? null;
}

/**
 * Removes a tag of an image. If the image has no other tag, Docker also deletes the image, unless a container uses the
 * image.
 */
export async function untagImage(docker: DockerClient, tag: string): Promise<void> {
  const call = { doing: 'untag image', method: 'DELETE', path: `/images/${tag}` } as const;
  await docker.call(call).catch((error: unknown) => {
    /*
     * Status 404 means that the tag does not exist. Status 409 means that a container uses the image and the image has
     * no other tag.
     */
    if (!isStatus(error, 404, 409)) throw error;
  });
}
