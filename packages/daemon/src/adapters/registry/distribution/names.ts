/** Rules for names that become parts of URLs and paths. Names that do not match must never reach a URL or a path. */

import { isDigest } from '@davit/api';

const COMPONENT = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const REPOSITORY = new RegExp(`^${COMPONENT}(?:/${COMPONENT})*$`);
const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const LONGEST_REPOSITORY = 255;

export function isRepository(name: string): boolean {
  return name.length <= LONGEST_REPOSITORY && REPOSITORY.test(name);
}

export function isTag(name: string): boolean {
  return TAG.test(name);
}

/** Returns the name if it is valid. @throws Error if the text is not a name of a repository */
export function demandRepository(name: string): string {
  if (!isRepository(name)) throw new Error(`not the name of a repository: ${JSON.stringify(name.slice(0, 100))}`);
  return name;
}

/** Returns the tag if it is valid. @throws Error if the text is not a tag */
export function demandTag(name: string): string {
  if (!isTag(name)) throw new Error(`not a tag: ${JSON.stringify(name.slice(0, 100))}`);
  return name;
}

/** Returns the digest if it is valid. @throws Error if the text is not a digest */
export function demandDigest(text: string): string {
  if (!isDigest(text)) throw new Error(`not a digest: ${JSON.stringify(text.slice(0, 100))}`);
  return text;
}

/** Returns the reference if it is valid. @throws Error if the text is neither a tag nor a digest */
export function demandReference(text: string): string {
  return text.includes(':') ? demandDigest(text) : demandTag(text);
}
