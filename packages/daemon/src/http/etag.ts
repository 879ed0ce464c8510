import { hash } from 'node:crypto';

/**
 * Maximum length of a JSON text with an ETag, in characters. Clients read longer lists in pages, so an ETag would be
 * of little use.
 */
const LONGEST = 64 * 1024;

/** Fields that do not affect an ETag. They change every few seconds although the object stays the same. */
const LOOKED_AT = /"(?:observed_at|last_seen_at)":(?:"[^"]*"|null)/g;

/**
 * Returns the ETag of a JSON text, or `undefined` if the text is too long. The ETag is weak, because some fields do
 * not affect it.
 */
export function tagOf(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  return `W/"${hash('sha256', text.replaceAll(LOOKED_AT, ''), 'base64url').slice(0, 22)}"`;
}

/**
 * Returns whether an `If-Match` or `If-None-Match` header contains an ETag. Does not distinguish weak and strong
 * ETags.
 */
export function names(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  const bare = opaque(tag);
  return header.split(',').some((one) => opaque(one) === bare);
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
