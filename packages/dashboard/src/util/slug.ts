/**
 * Maximum length of a name, as in `Slug` of the contract. A test compares the two, because the schemas are too large
 * for the page.
 */
const LENGTH = 40;

/** Returns why a text is no valid name, or `null` if it is valid or empty. */
export function slugProblem(text: string): string | null {
  if (text === '') return null;
  if (text.length > LENGTH) return `Use at most ${LENGTH} characters.`;
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(text))
    return 'Use lowercase letters, digits and hyphens. Start and end with a letter or a digit.';
  return text === 'settings' ? 'The name “settings” is reserved.' : null;
}
