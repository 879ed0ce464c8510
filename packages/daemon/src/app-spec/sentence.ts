/**
 * Converts a message of an engine or a registry to one line that ends as a sentence, so that other sentences can
 * follow.
 */
export function sentence(words: string): string {
  const text = words.replaceAll(/\s+/g, ' ').trim();
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
