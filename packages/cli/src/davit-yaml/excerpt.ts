/** Error in a YAML file with its position. The first line and the first column have the number 1. */
export interface Mistake {
  line: number;
  column: number;
  /**
   * Length of the invalid text in characters, at least 1. The error output marks the invalid text with `^` characters.
   */
  length: number;
  message: string;
}

const LONGEST_LINE = 120;

/**
 * Formats an error in a file. The result contains the position, the message, and the line with `^` characters below the
 * error.
 * @param text complete content of the file
 */
export function showMistake(name: string, text: string, { line, column, length, message }: Mistake): string {
  const number = String(line);
  const margin = ' '.repeat(number.length);
  const whole = (text.split(/\r\n|\n|\r/)[line - 1] ?? '').replaceAll('\t', ' ');
  // If a line is long, only the part around the error is shown.
  const from = column <= LONGEST_LINE - 20 ? 0 : column - LONGEST_LINE / 2;
  const shown = whole.slice(from, from + LONGEST_LINE);
  const carets = '^'.repeat(Math.max(1, Math.min(length, shown.length - (column - 1 - from))));
  return [
    `${name}:${line}:${column}: ${message}`,
    `  ${number} | ${shown}`,
    `  ${margin} | ${' '.repeat(column - 1 - from)}${carets}`,
  ].join('\n');
}
