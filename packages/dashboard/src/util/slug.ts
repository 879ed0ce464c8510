/**
 * Maximum length of a resource name. The number is not imported from the schema `Slug`, because the schema would make
 * the page too large. A test compares the number with the schema.
 */
const LENGTH = 40;

/** Returns an error message for an invalid resource name. Returns `null` if the name is valid or empty. */
export function slugProblem(text: string): string | null {
  if (text === '') return null;
  if (text.length > LENGTH) return `Use at most ${LENGTH} characters.`;
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(text))
    return 'Use lowercase letters, digits and hyphens. Start and end with a letter or a digit.';
  return text === 'settings' ? 'The name “settings” is reserved.' : null;
}
