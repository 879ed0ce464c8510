import { hash } from 'node:crypto';

/** A longer text is not worth its hash: what is as long as that is read in pages. In characters. */
const LONGEST = 64 * 1024;

/**
 * When something was last looked at, or somebody was last here, says nothing about whether it has changed: without leaving
 * it out, no tag would hold for longer than a few seconds.
 */
const LOOKED_AT = /"(?:observed_at|last_seen_at)":(?:"[^"]*"|null)/g;

/** The entity tag of a JSON text; undefined for one that is too long. Weak: the same tag is the same in what matters. */
export function tagOf(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  return `W/"${hash('sha256', text.replaceAll(LOOKED_AT, ''), 'base64url').slice(0, 22)}"`;
}

/** Whether a header `If-Match` or `If-None-Match` names a tag. Weak and strong ones are the same here. */
export function names(header: string, tag: string): boolean {
  if (header.trim() === '*') return true;
  const bare = opaque(tag);
  return header.split(',').some((one) => opaque(one) === bare);
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
