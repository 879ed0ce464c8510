/** An error in a YAML file, with its position. Line and column numbers begin at 1. */
export interface Mistake {
  line: number;
  column: number;
  /** Number of characters to mark with `^`, at least 1. */
  length: number;
  message: string;
}

const LONGEST_LINE = 120;

/**
 * Formats an error in a file for the terminal: position, message and line of the file. `^` marks below the line show
 * the error.
 * @param text complete content of the file
 */
export function showMistake(name: string, text: string, { line, column, length, message }: Mistake): string {
  const number = String(line);
  const margin = ' '.repeat(number.length);
  const whole = (text.split(/\r\n|\n|\r/)[line - 1] ?? '').replaceAll('\t', ' ');
  // If the error is beyond the first 100 columns of a line, only the text around the error is shown.
  const from = column <= LONGEST_LINE - 20 ? 0 : column - LONGEST_LINE / 2;
  const shown = whole.slice(from, from + LONGEST_LINE);
  const carets = '^'.repeat(Math.max(1, Math.min(length, shown.length - (column - 1 - from))));
  return [
    `${name}:${line}:${column}: ${message}`,
    `  ${number} | ${shown}`,
    `  ${margin} | ${' '.repeat(column - 1 - from)}${carets}`,
  ].join('\n');
}
