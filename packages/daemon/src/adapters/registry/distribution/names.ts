/**
 * Checks names of repositories, tags and digests. Each name must be checked before it is used in a URL or a file path.
 */

import { isDigest } from '@davit/api';
import { isRepository } from '../repository-name.ts';

const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

export function isTag(name: string): boolean {
  return TAG.test(name);
}

/**
 * Checks the name of a registry repository and returns the name.
 * @throws Error if the name is invalid
 */
export function demandRepository(name: string): string {
  if (!isRepository(name)) throw new Error(`not a valid repository name: ${JSON.stringify(name.slice(0, 100))}`);
  return name;
}

/**
 * Checks an image tag and returns the tag.
 * @throws Error if the tag is invalid
 */
export function demandTag(name: string): string {
  if (!isTag(name)) throw new Error(`not a valid tag: ${JSON.stringify(name.slice(0, 100))}`);
  return name;
}

/**
 * Checks an image digest and returns the digest.
 * @throws Error if the digest is invalid
 */
export function demandDigest(text: string): string {
  if (!isDigest(text)) throw new Error(`not a valid digest: ${JSON.stringify(text.slice(0, 100))}`);
  return text;
}

/**
 * Checks an image tag or digest and returns it.
 * @throws Error if the text is neither a tag nor a digest
 */
export function demandReference(text: string): string {
  return text.includes(':') ? demandDigest(text) : demandTag(text);
}
