const SLUG = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Maximum length of a name on an instance. */
export const LONGEST_SLUG = 40;
/** Reserved name, because it is part of URLs of the dashboard. */
export const RESERVED_EVERYWHERE = 'settings';

/**
 * Returns whether a text can be part of an address: lower-case letters, digits and dashes, with no dash at either end.
 */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}
