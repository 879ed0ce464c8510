/**
 * Types of form fields for app settings. Each type defines how a setting is displayed, sent to the API, and described
 * in messages to the user.
 */
import { type App, exactBytes, readByteSize } from '@davit/api';
import { joinArguments, splitArguments } from './arguments.ts';

export interface Field<T> {
  label: string;
  of(app: App): T;
  /**
   * Converts the value of the form field to the format of the API request. Invalid input is sent unchanged, so that the
   * server reports the error.
   */
  sent(value: T, app: App): unknown;
  say(value: T): string;
  /**
   * Checks the input in the browser, before it is sent to the server. Returns an error message, or `null` if the check
   * finds no error.
   */
  check(value: T): string | null;
  /**
   * Formats the server's error message about a list item. `part` is the path of the list item, such as `.0.path`. By
   * default, the result contains the path and the message.
   */
  wordsOf?: (part: string, message: string) => string;
}

const nothingKnown = () => null;

/** Matches a typed number or empty text. Empty text means the default of the setting. */
const NUMBER = /^(-?\d+(\.\d+)?)?$/;

/** Returns a form field for text. If the input is empty, the form sends `null` to the API. */
export function text(label: string, of: (app: App) => string | null, none = 'none'): Field<string> {
  return {
    label,
    of: (app) => of(app) ?? '',
    sent: (value) => value.trim() || null,
    say: (value) => value.trim() || none,
    check: nothingKnown,
  };
}

/** Returns a form field for a number. Its value is the typed text. Empty input means the default of the setting. */
export function number(label: string, of: (app: App) => number | null, none = 'the default'): Field<string> {
  return {
    label,
    of: (app) => String(of(app) ?? ''),
    sent: (value) => numberOf(value.trim()),
    say: (value) => value.trim() || none,
    check: (value) => (NUMBER.test(value.trim()) ? null : 'Enter a number without a unit, for example 30.'),
  };
}

function numberOf(value: string): number | string | null {
  if (value === '') return null;
  return NUMBER.test(value) ? Number(value) : value;
}

export function bytes(label: string, of: (app: App) => number | null): Field<string> {
  return {
    label,
    of: (app) => {
      const amount = of(app);
      return amount === null ? '' : exactBytes(amount);
    },
    sent: (value) => (value.trim() === '' ? null : (readByteSize(value) ?? value)),
    say: (value) => value.trim() || 'no limit',
    check: (value) =>
      value.trim() === '' || readByteSize(value) !== null ? null : 'Enter an amount such as 512 MiB or 1.5 GiB.',
  };
}

/** Returns a form field with fixed options. An empty value means the default of the setting. */
export function choice<V extends string>(label: string, of: (app: App) => V | '', none = 'the default'): Field<V | ''> {
  return { label, of, sent: (value) => value || null, say: (value) => value || none, check: nothingKnown };
}

/**
 * Returns a form field for command arguments, typed as one command line. Empty input means the default arguments of
 * the image.
 */
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

/** Returns a form field for key–value pairs, sorted by key. */
export function pairs(label: string, of: (app: App) => Record<string, string>): Field<readonly Pair[]> {
  return {
    label,
    of: (app) => Object.entries(of(app)).sort(([a], [b]) => (a < b ? -1 : 1)),
    // Set all old keys to `null` first, because `null` removes a key in a JSON merge patch.
    sent: (value, app) => ({
      ...Object.fromEntries(Object.keys(of(app)).map((key) => [key, null])),
      ...Object.fromEntries(value),
    }),
    say: (value) => value.map(([key, one]) => `${key}=${one}`).join(', ') || 'none',
    check: (value) => twiceIn(value.map(([key]) => key)),
  };
}

function twiceIn(keys: readonly string[]): string | null {
  if (keys.includes('')) return 'Each label needs a key.';
  const twice = keys.find((key, i) => keys.indexOf(key) !== i);
  return twice === undefined ? null : `The key “${twice}” is used twice.`;
}
