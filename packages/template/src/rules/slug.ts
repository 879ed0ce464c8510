const SLUG = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Maximum length of the name of a project or a resource, in characters. */
export const LONGEST_SLUG = 40;
/** Reserved name of projects, environments and resources, because it is part of dashboard URLs. */
export const RESERVED_EVERYWHERE = 'settings';

/**
 * Returns whether a text is a valid name of a project or a resource. The name may contain lower-case letters, digits
 * and hyphens. A hyphen is not allowed at the start or the end.
 */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}
