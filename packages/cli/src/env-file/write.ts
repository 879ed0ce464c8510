import { encodedEnvValue } from '@davit/api';

/**
 * Matches a character that an `.env` file must not contain unescaped: control characters, characters that change the
 * text direction, and halves of surrogate pairs. Terminals could interpret control characters as commands. Carriage
 * returns do not match, because they have an escape sequence.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const UNSAFE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff\p{Bidi_Control}\p{Surrogate}]/u;

/** Matches values without special characters. dotenv, Docker and dotenv for Ruby read such values in the same way. */
const PLAIN = /^(?:[^\s'"`#$\\]+(?: [^\s'"`#$\\]+)*)?$/;

/**
 * Matches values that dotenv and Docker do not change if the values have no quotes. Special characters such as `$` are
 * allowed.
 */
const UNQUOTED = /^[^\s#'"`][^\s#]*(?: [^\s#]+)*$/;

interface Form {
  fits: (value: string) => boolean;
  write: (value: string) => string;
}

/**
 * Formats of a value in an `.env` file, in order of preference. The first format that can represent the value is used.
 */
const FORMS: readonly Form[] = [
  { fits: (value) => UNSAFE.test(value), write: encodedEnvValue },
  { fits: (value) => PLAIN.test(value), write: (value) => value },
  // Single quotes are preferred, because dotenv for Ruby expands variables such as `$HOME` in all other values.
  { fits: (value) => fitsIn("'", value) && !value.includes('\r'), write: (value) => `'${value}'` },
  // In double quotes, dotenv reads `\n` and `\r` as line breaks.
  {
    fits: (value) => fitsIn('"', value) && !/\\[nr]/.test(value),
    write: (value) => `"${value.replaceAll('\r', '\\r')}"`,
  },
  { fits: (value) => fitsIn('`', value) && !value.includes('\r'), write: (value) => `\`${value}\`` },
  { fits: (value) => UNQUOTED.test(value), write: (value) => value },
];

export interface WrittenEnvFile {
  /** Content of the `.env` file. It contains no control characters except line breaks and tabs. */
  text: string;
  /** Names of the variables whose values are encoded. Only Davit can decode these values. */
  encoded: string[];
}

/**
 * Converts variables to an `.env` file. `readEnvFile` reads the same values from this file. The format of each value is
 * selected so that as many programs as possible read the same value.
 * @param variables names and values. A name must be valid for a variable of an app
 */
export function writeEnvFile(variables: Readonly<Record<string, string>>): WrittenEnvFile {
  const lines = Object.entries(variables).map(([name, value]) => {
    const write = FORMS.find(({ fits }) => fits(value))?.write ?? encodedEnvValue;
    return { name, line: `${name}=${write(value)}\n`, isEncoded: write === encodedEnvValue };
  });
  return {
    text: lines.map(({ line }) => line).join(''),
    encoded: lines.filter(({ isEncoded }) => isEncoded).map(({ name }) => name),
  };
}

/**
 * Returns whether a value can be written in these quotes. A backslash at the end of the value would escape the closing
 * quote.
 */
function fitsIn(quote: string, value: string): boolean {
  return !value.includes(quote) && !value.endsWith('\\');
}
