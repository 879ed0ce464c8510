import { hash } from 'node:crypto';

/**
 * Maximum length of a JSON response with an ETag, in characters. Only lists can be longer. Clients read lists page by
 * page, so lists need no ETag.
 */
const LONGEST = 64 * 1024;

/**
 * Fields that do not change the ETag of an object. Their values change every few seconds, although the object stays the
 * same.
 */
const LOOKED_AT = /"(?:observed_at|last_seen_at)":(?:"[^"]*"|null)/g;

/**
 * Returns the ETag of a JSON text, or `undefined` if the text is too long. The ETag is weak, because it does not depend
 * on all fields.
 */
export function tagOf(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  return `W/"${hash('sha256', text.replaceAll(LOOKED_AT, ''), 'base64url').slice(0, 22)}"`;
}

/**
 * Returns whether an `If-Match` or `If-None-Match` header contains an ETag. A weak and a strong ETag with the same
 * value are equal.
 */
export function names(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  const bare = opaque(tag);
  return header.split(',').some((one) => opaque(one) === bare);
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
