import { shellLine } from '@davit/api';

/**
 * Splits a command line into words. Quotes and backslashes work as in a POSIX shell. Variables and globs are not
 * expanded. Returns `null` for an unclosed quote.
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

/** Joins words to one command line. `wordsOf` splits this command line into the same words. */
export function lineOf(words: readonly string[]): string {
  return shellLine(words);
}
