import type { ErrorCode, YAMLParseError } from 'yaml';
import type { Diagnostic } from '../diagnostic.ts';
import { Positions } from './positions.ts';

const HINTS: Partial<Record<ErrorCode, string>> = {
  TAB_AS_INDENT: 'Indent with spaces, because YAML does not allow tabs here.',
  BAD_INDENT: 'Use the same indentation as the neighboring lines.',
  BLOCK_AS_IMPLICIT_KEY: 'Put the value in quotes if it contains a colon, or begin the mapping on a new line.',
  MULTILINE_IMPLICIT_KEY: 'Look for an unclosed bracket, or for a missing colon on the line before.',
  BAD_SCALAR_START: 'Put the value in quotes.',
  BAD_DQ_ESCAPE: 'Use single quotes, in which a backslash has no special meaning, or double the backslash.',
};

/** Matches the YAML library's error message for a quote that is never closed. */
const UNCLOSED = /^Missing closing (.)quote/;

/**
 * Hints for missing characters, by error message of the YAML library. The library uses one error code for all these
 * errors. The first matching hint is used.
 */
const MISSING: readonly [RegExp, (found: string) => string][] = [
  [UNCLOSED, () => 'Add the closing quote at the end of the text, or use the other kind of quotes.'],
  [/^Sequence item without/, () => 'Use the same indentation as the key after the dash.'],
  [/^Flow .* end with a ([\]}])/, (bracket) => `Add the closing \`${bracket}\`.`],
];

/**
 * Converts a YAML syntax error to a problem without a column. The cause of the error is often left of the column that
 * the library reports.
 */
export function syntaxProblem(text: string, { code, message, pos: [offset] }: YAMLParseError): Diagnostic {
  const line = code === 'BLOCK_AS_IMPLICIT_KEY' ? lineOfColon(text, offset) : lineOf(text, offset, message);
  const hint = hintFor(code, message);
  return {
    severity: 'error',
    code: 'yaml.syntax',
    message: `This line is not valid YAML: ${firstLine(message.replace(UNCLOSED, 'a $1 is not closed'))}.`,
    path: [],
    line,
    ...(hint ? { hint } : {}),
  };
}

function hintFor(code: ErrorCode, message: string): string | undefined {
  for (const [pattern, hint] of MISSING) {
    const match = pattern.exec(message);
    if (match !== null) return hint(match[1] ?? '');
  }
  return HINTS[code];
}

/**
 * Returns the line of a YAML error. For an unclosed quote after line 1, returns the line of the opening quote, like the
 * older platform Cubeship.
 */
function lineOf(text: string, offset: number, message: string): number {
  const end = new Positions(text).at(offset).line;
  const quote = UNCLOSED.exec(message)?.[1];
  if (quote === undefined) return end;
  const opened = new Positions(text).at(text.lastIndexOf(quote, offset - 1)).line;
  return opened > 1 ? opened : end;
}

/**
 * Returns the line of the first colon that ends a key after `offset`. The invalid key starts at `offset` and can have
 * several lines.
 */
function lineOfColon(text: string, offset: number): number {
  const colon = text.slice(offset).search(/:(?=\s|$)/);
  return new Positions(text).at(offset + Math.max(colon, 0)).line;
}

function firstLine(message: string): string {
  const line = message.split('\n', 1)[0] ?? message;
  return (line.length > 200 ? `${line.slice(0, 200)}…` : line).replace(/[.:]$/, '');
}
