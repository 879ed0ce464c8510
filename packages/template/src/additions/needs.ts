import type { Path } from '../diagnostic.ts';
import type { DraftCondition } from '../draft.ts';
import type { Scope } from '../meaning/scope.ts';
import type { ReferenceKind } from '../references.ts';
import { admits, type Conditions, conditionsOf, isSameCondition } from '../rules/conditions.ts';
import { excerpt } from '../shape/words.ts';

/**
 * Checks references to resources that a template creates only under a condition. The app or variable with the reference
 * must have the same condition.
 */
export function checkNeeds(scope: Scope): void {
  for (const { references, path, conditions } of scope.texts) {
    for (const { kind, key, text: written } of references) {
      demand(scope, conditionOf(scope, kind, key), conditions, path, `${excerpt(written)}`);
    }
  }
  for (const [index, app] of scope.draft.apps.entries()) {
    for (const [position, { database, store, when }] of (app.attach ?? []).entries()) {
      const target = conditionOf(scope, database === undefined ? 'store' : 'db', database ?? store ?? '');
      const at = ['apps', index, 'attach', position];
      demand(scope, target, conditionsOf(app.when, when), at, `${excerpt(database ?? store ?? '')}`);
    }
  }
  for (const [index, { app, when }] of (scope.draft.jobs ?? []).entries()) {
    demand(scope, conditionOf(scope, 'app', app), conditionsOf(when), ['jobs', index, 'app'], `${excerpt(app)}`);
  }
}

function demand(scope: Scope, needed: DraftCondition | undefined, given: Conditions, path: Path, what: string): void {
  if (needed === undefined || given.some((condition) => implies(condition, needed))) return;
  const message = `${what} exists only if the condition on the input ${excerpt(needed.input)} is true, but it is used here without this condition.`;
  scope.warning('condition.needed', path, message, 'Add the same `when` here.');
}

function implies(given: DraftCondition, needed: DraftCondition): boolean {
  if (given.input !== needed.input) return false;
  return given.equals === undefined ? isSameCondition(given, needed) : admits(needed, given.equals);
}

function conditionOf({ apps, databases, stores }: Scope, kind: ReferenceKind, key: string): DraftCondition | undefined {
  switch (kind) {
    case 'input':
      return undefined;
    case 'app':
      return apps.get(key)?.when;
    case 'db':
      return databases.get(key)?.when;
    case 'store':
      return stores.get(key)?.when;
  }
}
