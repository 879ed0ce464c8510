import type { Path } from '../diagnostic.ts';
import { ATTRIBUTES, type Reference, type ReferenceKind, referencesIn } from '../references.ts';
import { either, excerpt } from '../shape/words.ts';
import { isDeclared, keyMeant } from './keys.ts';
import type { Scope } from './scope.ts';

const CALLED: Record<ReferenceKind, string> = { input: 'input', app: 'app', db: 'database', store: 'store' };

const WITH_ARTICLE: Record<ReferenceKind, string> = {
  input: 'an input',
  app: 'an app',
  db: 'a database',
  store: 'an object store',
};

/**
 * Checks all references in a text. The target (input, app, database or object store) must exist and must have the
 * attribute in the reference.
 */
export function checkReferences(scope: Scope, text: string, path: Path): void {
  for (const reference of referencesIn(text)) checkReference(scope, reference, path);
}

function checkReference(scope: Scope, { kind, key, attribute, text }: Reference, path: Path): void {
  if (!isDeclared(scope, kind, key)) {
    scope.error(
      'reference.unknown',
      path,
      `${excerpt(text)} refers to the ${CALLED[kind]} ${excerpt(key)}, which is not declared.`,
      keyMeant(scope, key, kind),
    );
    return;
  }
  const attributes = ATTRIBUTES[kind];
  if (kind === 'input') {
    if (attribute === undefined) return;
    const message = `${excerpt(text)} has the attribute ${excerpt(attribute)}, but an input has no attributes.`;
    scope.error('reference.attribute', path, message, `Write \`\${input.${key}}\`.`);
  } else if (attribute === undefined || !attributes.includes(attribute)) {
    const message =
      attribute === undefined
        ? `${excerpt(text)} has no attribute.`
        : `${excerpt(text)} has the attribute ${excerpt(attribute)}, which ${WITH_ARTICLE[kind]} does not have.`;
    const hint = `Write ${either(attributes.map((name) => `\${${kind}.${key}.${name}}`))}.`;
    scope.error('reference.attribute', path, message, hint);
  }
}
