import { hash } from 'node:crypto';

/** Maximum length in characters of a text with a tag. Longer lists are read in pages, so hashing them is not useful. */
const LONGEST = 64 * 1024;

/** Fields that are excluded from the tag. These fields change every few seconds without a change of the object. */
const LOOKED_AT = /"(?:observed_at|last_seen_at)":(?:"[^"]*"|null)/g;

/**
 * Returns the entity tag of a JSON text, or `undefined` if the text is too long. The tag is weak, because excluded
 * fields may differ between texts with equal tags.
 */
export function tagOf(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  return `W/"${hash('sha256', text.replaceAll(LOOKED_AT, ''), 'base64url').slice(0, 22)}"`;
}

/** Returns whether a header `If-Match` or `If-None-Match` contains a tag. Weak and strong tags are treated alike. */
export function names(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  const bare = opaque(tag);
  return header.split(',').some((one) => opaque(one) === bare);
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
