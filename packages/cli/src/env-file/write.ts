import { encodedEnvValue } from '@davit/api';

/**
 * Matches a character that an `.env` file cannot contain: control characters, which the terminal could interpret,
 * characters that change the text direction, and halves of surrogate pairs. Carriage returns have an escape sequence.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const UNSAFE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff\p{Bidi_Control}\p{Surrogate}]/u;

/** Matches values that dotenv, Docker and dotenv for Ruby read alike: words without special characters. */
const PLAIN = /^(?:[^\s'"`#$\\]+(?: [^\s'"`#$\\]+)*)?$/;

/** Matches values that dotenv and Docker read unchanged without quotes, even with special characters such as `$`. */
const UNQUOTED = /^[^\s#'"`][^\s#]*(?: [^\s#]+)*$/;

interface Form {
  fits: (value: string) => boolean;
  write: (value: string) => string;
}

/** Formats of a value in an `.env` file, in the order of preference. Each value gets the first format that fits. */
const FORMS: readonly Form[] = [
  { fits: (value) => UNSAFE.test(value), write: encodedEnvValue },
  { fits: (value) => PLAIN.test(value), write: (value) => value },
  // Prefers single quotes, because dotenv for Ruby expands variables such as `$HOME` in all other values.
  { fits: (value) => fitsIn("'", value) && !value.includes('\r'), write: (value) => `'${value}'` },
  // In double quotes, dotenv reads \n and \r as line breaks.
  {
    fits: (value) => fitsIn('"', value) && !/\\[nr]/.test(value),
    write: (value) => `"${value.replaceAll('\r', '\\r')}"`,
  },
  { fits: (value) => fitsIn('`', value) && !value.includes('\r'), write: (value) => `\`${value}\`` },
  { fits: (value) => UNQUOTED.test(value), write: (value) => value },
];

export interface WrittenEnvFile {
  /** Content of the file. It contains no control characters except line breaks and tabs. */
  text: string;
  /** Names of the variables with encoded values. Other programs than Davit do not decode these values. */
  encoded: string[];
}

/**
 * Writes variables as an `.env` file. `readEnvFile` reads the same values again. The forms of the values are chosen so
 * that as many programs as possible read them alike.
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

/** Returns whether a value can be written in these quotes. A backslash at its end would escape the closing quote. */
function fitsIn(quote: string, value: string): boolean {
  return !value.includes(quote) && !value.endsWith('\\');
}
