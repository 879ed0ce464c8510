const SLUG = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Maximum length of the name of a project or a resource. */
export const LONGEST_SLUG = 40;
/** Name that no project, environment or resource may have, because it is part of URLs of the dashboard. */
export const RESERVED_EVERYWHERE = 'settings';

/**
 * Returns whether a text is a valid name of a project or a resource. It may contain lower-case letters, digits and
 * hyphens. It must not begin or end with a hyphen.
 */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}
