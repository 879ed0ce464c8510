import type { ScalarTag } from '../document.ts';

const WORDS: Record<string, ScalarTag> = {
  ...tagged('bool', 'true True TRUE false False FALSE'),
  ...tagged('null', '~ null Null NULL'),
  ...tagged('float', '.nan .NaN .NAN .inf .Inf .INF +.inf +.Inf +.INF -.inf -.Inf -.INF'),
  '': 'null',
  // The merge key is no text, wherever it stands.
  '<<': 'other',
};

/** Only what starts like this can be anything but text. */
const MAY_BE_MORE = /^[-+.0-9~tTfFnN<]|^$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const INTEGERS = [
  /^[-+]?0[xX][0-9a-fA-F]+$/,
  /^[-+]?0[oO]?[0-7]+$/,
  /^[-+]?0[bB][01]+$/,
  /^[-+]?(0|[1-9][0-9]*)$/,
] as const;
/** The largest of 64 bits, with a sign or without. Beyond it a whole number is a float, or text in another base. */
const LARGEST = { signed: 2n ** 63n - 1n, negative: 2n ** 63n, unsigned: 2n ** 64n - 1n };
const MOMENT =
  /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:([Tt ])([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})?)?$/;

/**
 * What a scalar without quotes and tag is: the rules are those of YAML 1.2 with what the older format’s reader kept of
 * 1.1 (`017` and `1_000` are whole numbers, a date is a timestamp), and without `yes` and `1:30`.
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

/** The tag of a scalar that says its own: `!!str 5` is text. */
export function tagOfExplicit(tag: string): ScalarTag {
  const short = tag.startsWith('tag:yaml.org,2002:') ? tag.slice('tag:yaml.org,2002:'.length) : '';
  if (short === 'str') return 'string';
  if (short === 'int' || short === 'float' || short === 'bool' || short === 'null' || short === 'timestamp')
    return short;
  return 'other';
}

/**
 * The number that an `int` or `float` stands for, read as a decimal whatever its prefix: `017` is 17. Null where that
 * is not possible: `0x10`, `.inf`.
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
  // Most are short; only of the others the size matters.
  return text.length < 16 || fitsIn64Bits(text);
}

function fitsIn64Bits(text: string): boolean {
  // Nobody writes that many digits, and a million of them would take long to read.
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
  // After `T` there is always a zone, after a blank never.
  if (between !== undefined && (between === ' ') !== (zone === undefined)) return false;
  const days = new Date(Date.UTC(2000, Number(month), 0));
  days.setUTCFullYear(Number(year), Number(month), 0);
  const inMonth = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= days.getUTCDate();
  return inMonth && Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
}
