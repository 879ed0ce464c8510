import { shellLine } from '@davit/api';

export type Split = { args: string[] } | { why: string };

/**
 * Splits a command line such as `node server.js --title "two words"` into arguments. Quotes and backslashes work as in
 * a POSIX shell. Variables and globs are not expanded.
 */
export function splitArguments(line: string): Split {
  const args: string[] = [];
  let word: string | null = null;
  for (let i = 0; i < line.length; i += 1) {
    const char = line[i] ?? '';
    if (/\s/.test(char)) {
      if (word !== null) args.push(word);
      word = null;
    } else if (char === "'" || char === '"') {
      const end = endOfQuote(line, i);
      if (end < 0) return { why: `the quote ${char} is not closed` };
      word = (word ?? '') + inQuotes(line.slice(i + 1, end), char);
      i = end;
    } else if (char === '\\') {
      if (i + 1 === line.length) return { why: 'the last “\\” must be followed by a character' };
      i += 1;
      word = (word ?? '') + (line[i] ?? '');
    } else word = (word ?? '') + char;
  }
  if (word !== null) args.push(word);
  return { args };
}

function endOfQuote(line: string, start: number): number {
  const quote = line[start] ?? '';
  for (let i = start + 1; i < line.length; i += 1) {
    if (quote === '"' && line[i] === '\\') i += 1;
    else if (line[i] === quote) return i;
  }
  return -1;
}

/**
 * Removes backslashes that escape a character. In double quotes, a backslash escapes only `"`, `\`, `$` and backticks.
 */
function inQuotes(text: string, quote: string): string {
  return quote === '"' ? text.replace(/\\(["\\$`])/g, '$1') : text;
}

/**
 * Joins command arguments to one command line. `splitArguments` converts this command line back to the same
 * arguments.
 */
export function joinArguments(args: readonly string[]): string {
  return shellLine(args);
}
