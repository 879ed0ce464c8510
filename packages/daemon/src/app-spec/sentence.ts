/** Somebody else's words as a sentence in one line that others can follow: engines and registries end theirs as they like. */
export function sentence(words: string): string {
  const text = words.replaceAll(/\s+/g, ' ').trim();
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
