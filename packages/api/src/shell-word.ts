/** Quotes a text, so that a POSIX shell reads it as one word. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Joins words to a command line for a POSIX shell. Only words with special characters are quoted. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellWord(word))).join(' ');
}
