/** As `Slug` of the contract, which a test holds it against: the schemas themselves are too large for the page. */
const LENGTH = 40;

/** Why this cannot be a name, said while it is typed; null: it can be, or nothing is typed yet. */
export function slugProblem(text: string): string | null {
  if (text === '') return null;
  if (text.length > LENGTH) return `must be at most ${LENGTH} characters`;
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(text)) return 'must be lower-case letters, digits and inner hyphens';
  return text === 'settings' ? '«settings» is reserved' : null;
}
