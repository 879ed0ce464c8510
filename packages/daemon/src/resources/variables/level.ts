/** The variables of one level, and what becomes of them: the rules, apart from where they are kept. */
import { allows, DavitError, type FieldCode, invalidField, type VariablesPatch, type VariablesPut } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';

/** A variable of one level. */
export interface Stored {
  /** {@link UNREADABLE_VALUE} when it does not open. */
  value: string;
  secret: boolean;
}
export type Level = ReadonlyMap<string, Stored>;

/** In place of a value that was changed outside Davit. No value is like it: none has a NUL. */
export const UNREADABLE_VALUE = '\0';

/** A variable's value for who asks: null for a secret that he may not read. */
export function shownTo({ actor }: OpContext): (variable: Stored) => string | null {
  const mayRead = allows(actor.role, 'secrets');
  return ({ secret, value }) => (secret && !mayRead ? null : value);
}

/** What becomes of a level. @throws DavitError invalid_input */
export type LevelChange = (before: Level) => Level;

/** Sets and unsets the named ones. */
export function patchingVariables(patch: VariablesPatch): LevelChange {
  return (before) => patched(before, patch);
}

/** Replaces them all; a null keeps the stored value, and is refused where there is none. */
export function replacingVariables(put: VariablesPut): LevelChange {
  return (before) => replaced(before, put);
}

function patched(before: Level, { set, unset, secret }: VariablesPatch): Level {
  const after = new Map(before);
  for (const key of unset) {
    if (Object.hasOwn(set, key)) throw invalid('unset', 'duplicate', `${key} is set and unset at once`);
    after.delete(key);
  }
  for (const [key, value] of Object.entries(set)) after.set(key, { value, secret: before.get(key)?.secret ?? false });
  for (const key of secret) {
    const variable = after.get(key);
    if (variable === undefined) throw invalid('secret', 'not_found', `${key} is not set`);
    after.set(key, { ...variable, secret: true });
  }
  return after;
}

function replaced(before: Level, { vars, secret }: VariablesPut): Level {
  const secrets = new Set(secret);
  const missing = secret.find((key) => !Object.hasOwn(vars, key));
  if (missing !== undefined) throw invalid('secret', 'not_found', `${missing} is not among the variables`);
  return new Map(
    Object.entries(vars).map(([key, value]) => {
      if (value !== null) return [key, { value, secret: secrets.has(key) }];
      const kept = before.get(key);
      if (kept === undefined)
        throw invalid(`vars.${key}`, 'required', 'null keeps what is stored, and nothing is: send a value');
      return [key, { value: kept.value, secret: kept.secret || secrets.has(key) }];
    }),
  );
}

const MOST_VARIABLES = 1_000;
const MOST_BYTES = 1024 * 1024;
/** What Linux takes as one `NAME=value`, with the zero behind it: with a longer one no process can start. */
const LONGEST_BYTES = 128 * 1024;

/** A process's environment is bounded by the kernel; this keeps one level well below, and the store small. */
export function demandRoom(level: Level): void {
  if (level.size > MOST_VARIABLES)
    throw new DavitError(
      'invalid_input',
      `There can be at most ${MOST_VARIABLES.toLocaleString('en')} variables here: these would be ${level.size.toLocaleString('en')}.`,
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
      'The variables here can have at most 1 MiB together: put large values into a file or a volume.',
    );
  if (tooLong !== undefined)
    throw invalid(
      tooLong,
      'too_large',
      'can have at most 128 KiB with its name: put a large value into a file or a volume',
    );
}

function invalid(field: string, code: FieldCode, message: string): DavitError {
  return invalidField(field, code, `${message}.`);
}
