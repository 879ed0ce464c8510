const SLUG = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** What an instance lets a name have at most. */
export const LONGEST_SLUG = 40;
/** Where an address of the interface would be taken for a name. */
export const RESERVED_EVERYWHERE = 'settings';

/** Whether a text can be a part of an address: lower-case letters, digits and dashes, no dash at an end. */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}
