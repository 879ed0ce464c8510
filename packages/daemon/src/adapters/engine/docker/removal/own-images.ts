import type { ImageInfo } from 'dockerode';
import { tagPrefix } from '../../names.ts';
import type { DockerClient } from '../client/client.ts';
import { instanceOfTag, PLATFORM_PREFIX } from '../images/platform-tags.ts';

/** Start of the name that Docker shows for an image without a tag or without a digest. */
const NONE = '<none>';

/** Returns all images of the Docker Engine. */
export function allImages(client: DockerClient): Promise<ImageInfo[]> {
  return client.call<ImageInfo[]>({ doing: 'list images', path: '/images/json' });
}

/** Returns all tags and digest names of an image. */
export function namesOf({ RepoTags, RepoDigests }: ImageInfo): string[] {
  return [...(RepoTags ?? []), ...(RepoDigests ?? [])].filter((name) => !name.startsWith(NONE));
}

/**
 * Returns whether an image name contains the id of an instance: the tag of a release, the tag of a platform image, or a
 * name from a pull through the registry gateway (`localhost:<port>/davit-<id>/…`).
 */
export function isOwnImageName(davitId: string, name: string): boolean {
  const local = /^localhost:\d+\/(.*)$/.exec(name)?.[1] ?? name;
  return local.startsWith(tagPrefix(davitId)) || instanceOfTag(name) === davitId;
}

/** Returns whether an image name contains the id of any instance. */
export function isInstanceImageName(name: string): boolean {
  return instanceOfTag(name) !== null || /^(localhost:\d+\/)?davit-[a-z0-9]{8}\//.test(name);
}

/** Returns whether a tag belongs to all instances: `davit/<name>:<tag>` without an instance id. */
export function isSharedTag(tag: string): boolean {
  return tag.startsWith(PLATFORM_PREFIX) && instanceOfTag(tag) === null;
}
