import type { Path } from '../diagnostic.ts';
import type { DraftAttachment } from '../draft.ts';
import { databaseVariables, storeVariables } from '../rules/attachment-variables.ts';
import { areExclusive, type Conditions, conditionsOf } from '../rules/conditions.ts';
import { excerpt } from '../shape/words.ts';
import { isDeclared, keyMeant } from './keys.ts';
import type { Scope } from './scope.ts';

const PREFIX = /^(?:[A-Z][A-Z0-9_]*_)?$/;

/**
 * Map from environment variable to the conditions of the attachments that set the variable. An attachment connects an
 * app to a database or a bucket.
 */
type Claimed = Map<string, Conditions[]>;

/**
 * Checks the attachments of an app, which connect the app to databases and buckets. Each attachment must name one
 * existing resource. Two attachments must not set the same variable.
 * @returns names of the variables that the attachments set
 */
export function checkAttachments(scope: Scope, attach: readonly DraftAttachment[] = [], path: Path): Set<string> {
  const claimed: Claimed = new Map();
  for (const [index, attachment] of attach.entries()) {
    const at = [...path, 'attach', index];
    if (checkAttachment(scope, attachment, at)) claim(scope, attachment, claimed, at);
  }
  return new Set(claimed.keys());
}

/**
 * Checks one attachment, which connects an app to a database or a bucket. Returns whether its database or object store
 * exists in the template.
 */
function checkAttachment(scope: Scope, { database, store, bucket, prefix }: DraftAttachment, at: Path): boolean {
  if (prefix !== undefined && !PREFIX.test(prefix)) {
    const message = `The prefix ${excerpt(prefix)} must have only upper-case letters, digits and underscores, and end with an underscore.`;
    scope.error('attach.prefix', [...at, 'prefix'], message, 'Write the prefix as `CACHE_`.');
  }
  if ((database === undefined) === (store === undefined)) {
    const message =
      database === undefined
        ? 'The attachment names neither a database nor an object store.'
        : 'The attachment names both a database and an object store.';
    scope.error('attach.kind', at, message, 'Name one of them.');
    return false;
  }
  if (database !== undefined) return checkDatabase(scope, database, at);
  if (store !== undefined && !isDeclared(scope, 'store', store)) {
    const message = `No object store and no input of type store has the key ${excerpt(store)}.`;
    scope.error('attach.unknown', [...at, 'store'], message, keyMeant(scope, store, 'store'));
    return false;
  }
  if (bucket === undefined) {
    const message = 'The bucket of the object store is missing.';
    scope.error('attach.bucket', [...at, 'bucket'], message, 'Set `bucket`.');
  }
  return true;
}

function checkDatabase(scope: Scope, database: string, at: Path): boolean {
  if (scope.databases.has(database)) return true;
  const message = `No database has the key ${excerpt(database)}.`;
  scope.error('attach.unknown', [...at, 'database'], message, keyMeant(scope, database, 'db'));
  return false;
}

/**
 * Records the variables that an attachment sets. Reports at most one error per attachment, because usually all
 * variables of the attachment conflict.
 */
function claim(scope: Scope, attachment: DraftAttachment, claimed: Claimed, at: Path): void {
  const conditions = conditionsOfAttachment(scope, attachment);
  for (const name of variablesOf(scope, attachment)) {
    const others = claimed.get(name) ?? [];
    if (others.some((other) => !areExclusive(other, conditions))) {
      const message = `Another attachment already sets the variable ${excerpt(name)}.`;
      scope.error('attach.collision', [...at, 'prefix'], message, 'Set a `prefix` for this attachment.');
      return;
    }
    claimed.set(name, [...others, conditions]);
  }
}

function variablesOf(scope: Scope, { database, prefix = '' }: DraftAttachment): string[] {
  if (database === undefined) return storeVariables(prefix);
  return databaseVariables(scope.databases.get(database)?.engine ?? '', prefix);
}

function conditionsOfAttachment(scope: Scope, { database, store, when }: DraftAttachment): Conditions {
  return conditionsOf(when, scope.databases.get(database ?? '')?.when, scope.stores.get(store ?? '')?.when);
}
