/** Returns a text in quotes, so that a POSIX shell reads it as one word. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Joins words to one command line for a POSIX shell. Puts only words with special characters in quotes. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellWord(word))).join(' ');
}
