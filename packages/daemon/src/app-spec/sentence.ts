/**
 * Converts an error message of Docker or a registry to one line that ends with a punctuation mark. Another sentence can
 * then follow the message.
 */
export function sentence(words: string): string {
  const text = words.replaceAll(/\s+/g, ' ').trim();
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
