import { checkReferences } from '../meaning/references.ts';
import type { Scope } from '../meaning/scope.ts';

/**
 * Checks the references in commands, files and conditional variables. These checks exist only for Davit, because the
 * older platform Cubeship, which uses the same template format, does not support these features.
 */
export function checkAddedTexts(scope: Scope): void {
  for (const { text, path, place: keyKind } of scope.texts) {
    if (keyKind === 'added') checkReferences(scope, text, path);
  }
}
