import type { Path } from '../diagnostic.ts';
import type { Draft, DraftApp, DraftCondition } from '../draft.ts';
import { keyMeant } from '../meaning/keys.ts';
import type { Scope } from '../meaning/scope.ts';
import { oneOf } from '../meaning/words.ts';
import { excerpt } from '../shape/words.ts';

interface Written {
  condition: DraftCondition;
  path: Path;
}

interface Conditional {
  when?: DraftCondition;
}

/**
 * Checks the conditions (`when`) of a template. Each condition must refer to an existing input. Each condition must be
 * true for some input values and false for others.
 */
export function checkConditions(scope: Scope): void {
  for (const { condition, path } of conditionsWritten(scope.draft)) checkCondition(scope, condition, path);
}

/** Returns all conditions (`when`) of a template with their paths. */
export function conditionsWritten(draft: Draft): Written[] {
  return [
    ...whensOf(draft.databases, ['databases']),
    ...whensOf(draft.stores, ['stores']),
    ...draft.apps.flatMap((app, index) => [...whensOf([app], ['apps'], index), ...whensInApp(app, ['apps', index])]),
    ...whensOf(draft.jobs, ['jobs']),
  ];
}

function whensInApp(app: DraftApp, path: Path): Written[] {
  return (['domains', 'attach', 'envWhen', 'volumes', 'tcp'] as const).flatMap((key) =>
    whensOf(app[key], [...path, key]),
  );
}

function whensOf(items: readonly Conditional[] = [], path: Path, from = 0): Written[] {
  return items.flatMap(({ when }, index) =>
    when === undefined ? [] : [{ condition: when, path: [...path, from + index, 'when'] }],
  );
}

function checkCondition(scope: Scope, { input: key, equals, not }: DraftCondition, path: Path): void {
  const { inputs, error } = scope;
  const input = inputs.get(key);
  if (input === undefined) {
    const message = `No input has the key ${excerpt(key)}.`;
    error('condition.input', [...path, 'input'], message, keyMeant(scope, key, 'input'));
  }
  if (equals !== undefined && not !== undefined) {
    error('condition.form', path, 'The condition has both `equals` and `not`.', 'Keep `equals` or `not`.');
  }
  if (input?.type !== 'choice') return;
  for (const [name, value] of Object.entries({ equals, not })) {
    if (value === undefined || input.options?.includes(value)) continue;
    // A condition may compare an optional input with an empty text, because users can leave the input empty.
    if (value === '' && input.required === false) continue;
    const hint = `Use ${oneOf(input.options ?? [])}.`;
    error(
      'condition.option',
      [...path, name],
      `${excerpt(value)} is not an option of the input ${excerpt(key)}.`,
      hint,
    );
  }
}
