/**
 * Converts an error message of the engine or a registry to one line that ends with a punctuation mark. Another
 * sentence can then follow.
 */
export function sentence(words: string): string {
  const text = words.replaceAll(/\s+/g, ' ').trim();
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
