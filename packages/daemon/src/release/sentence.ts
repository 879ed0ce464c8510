/** Somebody else's words as a sentence that others can follow: an engine and a registry end theirs as they like. */
export function sentence(words: string): string {
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}
