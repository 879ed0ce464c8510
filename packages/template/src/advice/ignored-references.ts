import type { Path } from '../diagnostic.ts';
import type { DraftApp } from '../draft.ts';
import type { Scope } from '../meaning/scope.ts';
import { referencesIn } from '../references.ts';
import { excerpt } from '../shape/words.ts';

interface Literal {
  text: string | number | undefined;
  path: Path;
}

/**
 * Warns about references, such as `${db.main.password}`, in keys that do not support references. Davit does not replace
 * these references.
 */
export function adviseIgnoredReferences(scope: Scope): void {
  for (const { text, path } of literalsIn(scope)) {
    if (typeof text !== 'string') continue;
    const [reference] = referencesIn(text);
    if (reference === undefined) continue;
    const message = `References are not supported in this key, so ${excerpt(reference.text)} is used as plain text.`;
    scope.warning(
      'advice.reference-ignored',
      path,
      message,
      'Write the value without a reference, or use a variable of the app.',
    );
  }
}

/**
 * Yields the template values in which references, such as `${input.name}`, do not work. Authors may use references in
 * these values by mistake.
 */
function* literalsIn({ draft }: Scope): Generator<Literal> {
  for (const [index, { default: text }] of (draft.inputs ?? []).entries()) {
    yield { text, path: ['inputs', index, 'default'] };
  }
  for (const [index, database] of (draft.databases ?? []).entries()) {
    for (const key of ['username', 'database'] as const) yield { text: database[key], path: ['databases', index, key] };
  }
  for (const [index, { version, buckets = [] }] of (draft.stores ?? []).entries()) {
    yield { text: version, path: ['stores', index, 'version'] };
    for (const [position, text] of buckets.entries()) yield { text, path: ['stores', index, 'buckets', position] };
  }
  for (const [index, app] of draft.apps.entries()) yield* literalsOf(app, ['apps', index]);
}

function* literalsOf(app: DraftApp, path: Path): Generator<Literal> {
  for (const key of ['image', 'repo', 'ref', 'dockerfile'] as const) yield { text: app[key], path: [...path, key] };
  for (const [index, { bucket }] of (app.attach ?? []).entries()) {
    yield { text: bucket, path: [...path, 'attach', index, 'bucket'] };
  }
  for (const key of ['volumes', 'files'] as const) {
    for (const [index, { path: text }] of (app[key] ?? []).entries()) {
      yield { text, path: [...path, key, index, 'path'] };
    }
  }
}
