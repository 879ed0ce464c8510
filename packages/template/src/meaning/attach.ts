import type { Path } from '../diagnostic.ts';
import type { DraftApp, DraftAttachment } from '../draft.ts';
import { databaseVariables, storeVariables } from '../rules/attachment-variables.ts';
import { areExclusive, type Conditions, conditionsOf } from '../rules/conditions.ts';
import { byName } from '../rules/sorted.ts';
import { excerpt } from '../shape/words.ts';
import { isDeclared, keyMeant } from './keys.ts';
import type { Scope } from './scope.ts';

const PREFIX = /^(?:[A-Z][A-Z0-9_]*_)?$/;

/** Each attachment names one thing that is there, and no two set the same variable. */
export function checkAttachments(scope: Scope, app: DraftApp, path: Path): void {
  const { attach = [] } = app;
  for (const [index, attachment] of attach.entries()) checkAttachment(scope, attachment, [...path, 'attach', index]);
  checkCollisions(scope, attach, path);
  checkOverrides(scope, app, path);
}

function checkAttachment(scope: Scope, attachment: DraftAttachment, at: Path): void {
  const { database, store, bucket, prefix } = attachment;
  if (prefix !== undefined && !PREFIX.test(prefix)) {
    const message = `The prefix ${excerpt(prefix)} is not upper-case letters, digits and underscores with one at the end.`;
    scope.error('attach.prefix', [...at, 'prefix'], message, 'Write it as `CACHE_`.');
  }
  if ((database === undefined) === (store === undefined)) {
    const message =
      database === undefined
        ? 'The attachment names neither a database nor a store.'
        : 'The attachment names both a database and a store.';
    scope.error('attach.kind', at, message, 'Name one of them.');
    return;
  }
  if (database !== undefined && !scope.databases.has(database)) {
    const message = `There is no database with the key ${excerpt(database)}.`;
    scope.error('attach.unknown', [...at, 'database'], message, keyMeant(scope, database, 'db'));
  }
  if (store === undefined) return;
  if (!isDeclared(scope, 'store', store)) {
    const message = `There is neither a store nor an input of type store with the key ${excerpt(store)}.`;
    scope.error('attach.unknown', [...at, 'store'], message, keyMeant(scope, store, 'store'));
  }
  if (bucket === undefined) {
    scope.error(
      'attach.bucket',
      [...at, 'bucket'],
      'Which bucket of the store is attached is not said.',
      'Set `bucket`.',
    );
  }
}

/** Only the first is told: what collides once mostly does so in five variables. */
function checkCollisions(scope: Scope, attach: readonly DraftAttachment[], path: Path): void {
  const claimed = new Map<string, Conditions[]>();
  for (const [index, attachment] of attach.entries()) {
    const conditions = conditionsOfAttachment(scope, attachment);
    for (const name of variablesOf(scope, attachment)) {
      const others = claimed.get(name) ?? [];
      if (others.some((other) => !areExclusive(other, conditions))) {
        const message = `Another attachment already sets ${excerpt(name)}.`;
        scope.error('attach.collision', [...path, 'attach', index, 'prefix'], message, 'Give this one a `prefix`.');
        return;
      }
      claimed.set(name, [...others, conditions]);
    }
  }
}

function checkOverrides(scope: Scope, { attach = [], env = {} }: DraftApp, path: Path): void {
  const attached = new Set(attach.flatMap((attachment) => variablesOf(scope, attachment)));
  for (const name of Object.keys(env)
    .filter((variable) => attached.has(variable))
    .sort(byName)) {
    scope.warning(
      'attach.collision',
      [...path, 'env', name],
      `${excerpt(name)} is set by an attachment, and \`env\` overrides it.`,
    );
  }
}

function variablesOf(scope: Scope, { database, store, prefix = '' }: DraftAttachment): string[] {
  if (database !== undefined && store !== undefined) return [];
  if (database !== undefined) return databaseVariables(scope.databases.get(database)?.engine ?? '', prefix);
  return store !== undefined && isDeclared(scope, 'store', store) ? storeVariables(prefix) : [];
}

function conditionsOfAttachment(scope: Scope, { database, store, when }: DraftAttachment): Conditions {
  return conditionsOf(when, scope.databases.get(database ?? '')?.when, scope.stores.get(store ?? '')?.when);
}
