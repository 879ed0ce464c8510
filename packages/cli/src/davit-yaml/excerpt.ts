/** A mistake in a file with its position. Lines and columns begin at 1. */
export interface Mistake {
  line: number;
  column: number;
  /** Number of marked characters, at least 1. */
  length: number;
  message: string;
}

const LONGEST_LINE = 120;

/**
 * Formats a mistake: position and message, the line, and a caret below it.
 * @param text complete text of the file
 */
export function showMistake(name: string, text: string, { line, column, length, message }: Mistake): string {
  const number = String(line);
  const margin = ' '.repeat(number.length);
  const whole = (text.split(/\r\n|\n|\r/)[line - 1] ?? '').replaceAll('\t', ' ');
  // A mistake far to the right of a long line is shown with the text around it.
  const from = column <= LONGEST_LINE - 20 ? 0 : column - LONGEST_LINE / 2;
  const shown = whole.slice(from, from + LONGEST_LINE);
  const carets = '^'.repeat(Math.max(1, Math.min(length, shown.length - (column - 1 - from))));
  return [
    `${name}:${line}:${column}: ${message}`,
    `  ${number} | ${shown}`,
    `  ${margin} | ${' '.repeat(column - 1 - from)}${carets}`,
  ].join('\n');
}
