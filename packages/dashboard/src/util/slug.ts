/**
 * Maximum length of a name, as in `Slug` of the contract. A test compares the two, because the schemas are too large
 * for the page.
 */
const LENGTH = 40;

/** Returns why a text is no valid name, or `null` if it is valid or empty. */
export function slugProblem(text: string): string | null {
  if (text === '') return null;
  if (text.length > LENGTH) return `must be at most ${LENGTH} characters`;
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(text)) return 'must be lower-case letters, digits and inner hyphens';
  return text === 'settings' ? '“settings” is reserved' : null;
}
