/**
 * Reads and changes variables of one level: project, environment or app. The functions in this file are pure, and do
 * not access the database.
 */
import { allows, DavitError, type FieldCode, invalidField, type VariablesPatch, type VariablesPut } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';

export interface Stored {
  /** Value of the variable, or {@link UNREADABLE_VALUE} if the value cannot be decrypted. */
  value: string;
  secret: boolean;
}
export type Level = ReadonlyMap<string, Stored>;

/**
 * Placeholder for the value of a variable that cannot be decrypted. No variable has this value, because values cannot
 * contain NUL.
 */
export const UNREADABLE_VALUE = '\0';

/**
 * Returns a function that returns the value of a variable. The value is `null` for a secret variable if the user may
 * not read secrets.
 */
export function shownTo({ actor }: OpContext): (variable: Stored) => string | null {
  const mayRead = allows(actor.role, 'secrets');
  return ({ secret, value }) => (secret && !mayRead ? null : value);
}

/**
 * Function that receives the current variables of a project, environment or app, and returns the changed variables.
 * @throws DavitError invalid_input
 */
export type LevelChange = (before: Level) => Level;

/**
 * Returns a function that sets and removes some variables of a project, environment or app. Other variables do not
 * change.
 */
export function patchingVariables(patch: VariablesPatch): LevelChange {
  return (before) => patched(before, patch);
}

/**
 * Returns a change that replaces all variables of a project, environment or app. The value `null` means that a variable
 * keeps its stored value. The stored value must exist.
 */
export function replacingVariables(put: VariablesPut): LevelChange {
  return (before) => replaced(before, put);
}

function patched(before: Level, { set, unset, secret }: VariablesPatch): Level {
  const after = new Map(before);
  for (const key of unset) {
    if (Object.hasOwn(set, key))
      throw invalid(
        'unset',
        'duplicate',
        `The variable ${key} is both in “set” and in “unset”. Remove it from one of them.`,
      );
    after.delete(key);
  }
  for (const [key, value] of Object.entries(set)) after.set(key, { value, secret: before.get(key)?.secret ?? false });
  for (const key of secret) {
    const variable = after.get(key);
    if (variable === undefined)
      throw invalid(
        'secret',
        'not_found',
        `The variable ${key} does not exist. Add it to “set”, or remove it from “secret”.`,
      );
    after.set(key, { ...variable, secret: true });
  }
  return after;
}

function replaced(before: Level, { vars, secret }: VariablesPut): Level {
  const secrets = new Set(secret);
  const missing = secret.find((key) => !Object.hasOwn(vars, key));
  if (missing !== undefined)
    throw invalid(
      'secret',
      'not_found',
      `The variable ${missing} is not in “vars”. Add it to “vars”, or remove it from “secret”.`,
    );
  return new Map(
    Object.entries(vars).map(([key, value]) => {
      if (value !== null) return [key, { value, secret: secrets.has(key) }];
      const kept = before.get(key);
      if (kept === undefined)
        throw invalid(
          `vars.${key}`,
          'required',
          'This variable is new, so it needs a value. Use null only for an existing variable, which then keeps its value.',
        );
      return [key, { value: kept.value, secret: kept.secret || secrets.has(key) }];
    }),
  );
}

const MOST_VARIABLES = 1_000;
const MOST_BYTES = 1024 * 1024;
/**
 * Maximum size in bytes of `NAME=value` with the final zero byte. Linux cannot start a process with a longer
 * environment variable.
 */
const LONGEST_BYTES = 128 * 1024;

/**
 * Checks the number and size of variables. The limits are much lower than the limits of Linux, so that the database
 * stays small.
 * @throws DavitError invalid_input
 */
export function demandRoom(level: Level): void {
  if (level.size > MOST_VARIABLES)
    throw new DavitError(
      'invalid_input',
      `The request results in ${level.size.toLocaleString('en')} variables, but the limit is ${MOST_VARIABLES.toLocaleString('en')}. Remove some variables.`,
    );
  let bytes = 0;
  let tooLong: string | undefined;
  for (const [key, { value }] of level) {
    const own = Buffer.byteLength(key) + Buffer.byteLength(value);
    if (own + '=\0'.length > LONGEST_BYTES) tooLong ??= key;
    bytes += own;
  }
  if (bytes > MOST_BYTES)
    throw new DavitError(
      'invalid_input',
      'All variables together are larger than 1 MiB, which is the limit. Put large values into a file or a volume.',
    );
  if (tooLong !== undefined)
    throw invalid(
      tooLong,
      'too_large',
      'The variable is too long. Its name and its value can have at most 128 KiB together. Put a large value into a file or a volume.',
    );
}

function invalid(field: string, code: FieldCode, message: string): DavitError {
  return invalidField(field, code, message);
}
