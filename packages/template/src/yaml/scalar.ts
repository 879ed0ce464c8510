import type { ScalarTag } from '../document.ts';

const WORDS: Record<string, ScalarTag> = {
  ...tagged('bool', 'true True TRUE false False FALSE'),
  ...tagged('null', '~ null Null NULL'),
  ...tagged('float', '.nan .NaN .NAN .inf .Inf .INF +.inf +.Inf +.INF -.inf -.Inf -.INF'),
  '': 'null',
  // In YAML, `<<` is a merge key. Therefore, `<<` is never plain text.
  '<<': 'other',
};

/**
 * Matches the start of YAML values that can be a number, a boolean or another special type. All other values are text.
 */
const MAY_BE_MORE = /^[-+.0-9~tTfFnN<]|^$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const INTEGERS = [
  /^[-+]?0[xX][0-9a-fA-F]+$/,
  /^[-+]?0[oO]?[0-7]+$/,
  /^[-+]?0[bB][01]+$/,
  /^[-+]?(0|[1-9][0-9]*)$/,
] as const;
/**
 * Limits of signed and unsigned 64-bit integers. Outside these limits, a decimal number becomes a float, and a number
 * in another base becomes text.
 */
const LARGEST = { signed: 2n ** 63n - 1n, negative: 2n ** 63n, unsigned: 2n ** 64n - 1n };
const MOMENT =
  /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:([Tt ])([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})?)?$/;

/**
 * Returns the type of an unquoted YAML value. The rules are YAML 1.2 and some YAML 1.1 rules of the older platform
 * Cubeship. For example, `1_000` is an integer, but `yes` is text.
 */
export function tagOfPlain(text: string): ScalarTag {
  if (!MAY_BE_MORE.test(text)) return 'string';
  const word = Object.hasOwn(WORDS, text) ? WORDS[text] : undefined;
  if (word !== undefined) return word;
  if (text[0] === '.') return isFiniteFloat(text) ? 'float' : 'string';
  if (isMoment(text)) return 'timestamp';
  const plain = text.replaceAll('_', '');
  if (isInteger(plain)) return 'int';
  return isFiniteFloat(plain) ? 'float' : 'string';
}

/** Returns the type of a YAML scalar that has an explicit tag. For example, `!!str 5` is text. */
export function tagOfExplicit(tag: string): ScalarTag {
  const short = tag.startsWith('tag:yaml.org,2002:') ? tag.slice('tag:yaml.org,2002:'.length) : '';
  if (short === 'str') return 'string';
  if (short === 'int' || short === 'float' || short === 'bool' || short === 'null' || short === 'timestamp')
    return short;
  return 'other';
}

/**
 * Returns the decimal value of an `int` or `float` scalar. For example, `017` is 17. Returns `null` for other
 * notations, such as `0x10` or `.inf`.
 */
export function numberOf(text: string): number | null {
  const plain = text.replaceAll('_', '');
  return isFiniteFloat(plain) ? Number(plain) : null;
}

function tagged(tag: ScalarTag, words: string): Record<string, ScalarTag> {
  return Object.fromEntries(words.split(' ').map((word) => [word, tag]));
}

function isFiniteFloat(text: string): boolean {
  return FLOAT.test(text) && Number.isFinite(Number(text));
}

function isInteger(text: string): boolean {
  if (!INTEGERS.some((form) => form.test(text))) return false;
  // Only long numbers are checked, because short numbers always fit into 64 bits.
  return text.length < 16 || fitsIn64Bits(text);
}

function fitsIn64Bits(text: string): boolean {
  /*
   * A very long number is rejected without parsing. It does not fit into 64 bits, and parsing a million digits would
   * take long.
   */
  if (text.length > 100) return false;
  const negative = text[0] === '-';
  const digits = /^[-+]/.test(text) ? text.slice(1) : text;
  const value = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
  if (negative) return value <= LARGEST.negative;
  return value <= (text[0] === '+' ? LARGEST.signed : LARGEST.unsigned);
}

function isMoment(text: string): boolean {
  const found = MOMENT.exec(text);
  if (!found) return false;
  const [, year, month, day, between, hour = '0', minute = '0', second = '0', zone] = found;
  // A YAML timestamp with `T` must have a time zone. A timestamp with a space must have no time zone.
  if (between !== undefined && (between === ' ') !== (zone === undefined)) return false;
  const days = new Date(Date.UTC(2000, Number(month), 0));
  days.setUTCFullYear(Number(year), Number(month), 0);
  const inMonth = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= days.getUTCDate();
  return inMonth && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
}
