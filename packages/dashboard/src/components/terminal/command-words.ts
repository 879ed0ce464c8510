/**
 * Divides a typed line into a program and its arguments. Quotes and backslashes work as in a shell, but no other shell
 * feature is supported. Returns `null` if a quote is not closed.
 */
export function wordsOf(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] as string;
    if (quote === "'" && letter !== "'") word += letter;
    else if (letter === '\\' && quote !== "'" && at + 1 < line.length) word = (word ?? '') + line[++at];
    else if (letter === quote) quote = '';
    else if (quote !== '') word += letter;
    else if (letter === "'" || letter === '"') {
      quote = letter;
      word ??= '';
    } else if (/\s/.test(letter)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + letter;
  }
  if (quote !== '') return null;
  return word === null ? words : [...words, word];
}

/** Returns a line that `wordsOf` parses to the same words. */
export function lineOf(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
