/** The kinds of fields that settings have: how each is shown, what of it is sent, and how it is said in a sentence. */
import type { App } from '@davit/api';
import { joinArguments, splitArguments } from './arguments.ts';
import { readBytes, writeBytes } from './bytes.ts';

export interface Field<T> {
  label: string;
  of(app: App): T;
  /** What stands in the request. What makes no sense is sent as it is: the server says what it takes. */
  sent(value: T, app: App): unknown;
  say(value: T): string;
  /** What is wrong with it before anybody is asked; null: nothing that is known here. */
  check(value: T): string | null;
  /** What is said of a part that was refused, `.0.path`; absent: the part, then the sentence. */
  wordsOf?: (part: string, message: string) => string;
}

const nothingKnown = () => null;

/** A text; empty means that there is none. */
export function text(label: string, of: (app: App) => string | null, none = 'none'): Field<string> {
  return {
    label,
    of: (app) => of(app) ?? '',
    sent: (value) => value.trim() || null,
    say: (value) => value.trim() || none,
    check: nothingKnown,
  };
}

/** A number, as it is typed; empty means the default. */
export function number(label: string, of: (app: App) => number | null, none = 'the default'): Field<string> {
  return {
    label,
    of: (app) => String(of(app) ?? ''),
    sent: (value) => numberOf(value.trim()),
    say: (value) => value.trim() || none,
    check: nothingKnown,
  };
}

function numberOf(value: string): number | string | null {
  if (value === '') return null;
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

export function bytes(label: string, of: (app: App) => number | null): Field<string> {
  return {
    label,
    of: (app) => {
      const amount = of(app);
      return amount === null ? '' : writeBytes(amount);
    },
    sent: (value) => (value.trim() === '' ? null : (readBytes(value) ?? value)),
    say: (value) => value.trim() || 'no limit',
    check: (value) =>
      value.trim() === '' || readBytes(value) !== null ? null : 'must be an amount such as 512 MiB or 1.5 GiB',
  };
}

/** One of several; empty means the default. */
export function choice<V extends string>(label: string, of: (app: App) => V | '', none = 'the default'): Field<V | ''> {
  return { label, of, sent: (value) => value || null, say: (value) => value || none, check: nothingKnown };
}

/** The arguments of a process, as the line that splits into them; none means those of the image. */
export function argumentList(label: string, of: (app: App) => string[] | null, none: string): Field<string> {
  return {
    label,
    of: (app) => joinArguments(of(app) ?? []),
    sent: (value) => {
      const split = splitArguments(value);
      return 'args' in split && split.args.length > 0 ? split.args : null;
    },
    say: (value) => value.trim() || none,
    check: (value) => {
      const split = splitArguments(value);
      return 'why' in split ? split.why : null;
    },
  };
}

export type Pair = readonly [key: string, value: string];

/** Keys with values, in the order in which they are shown. */
export function pairs(label: string, of: (app: App) => Record<string, string>): Field<readonly Pair[]> {
  return {
    label,
    of: (app) => Object.entries(of(app)).sort(([a], [b]) => (a < b ? -1 : 1)),
    // A merge takes away what it names with null.
    sent: (value, app) => ({
      ...Object.fromEntries(Object.keys(of(app)).map((key) => [key, null])),
      ...Object.fromEntries(value),
    }),
    say: (value) => value.map(([key, one]) => `${key}=${one}`).join(', ') || 'none',
    check: (value) => twiceIn(value.map(([key]) => key)),
  };
}

function twiceIn(keys: readonly string[]): string | null {
  if (keys.includes('')) return 'each needs a key';
  const twice = keys.find((key, i) => keys.indexOf(key) !== i);
  return twice === undefined ? null : `«${twice}» is there twice`;
}
