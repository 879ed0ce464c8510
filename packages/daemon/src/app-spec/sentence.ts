/**
 * Converts an error message of Docker or a registry to one line with a punctuation mark at the end, so that another
 * sentence can follow it.
 */
export function sentence(words: string): string {
  const text = words.replaceAll(/\s+/g, ' ').trim();
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
