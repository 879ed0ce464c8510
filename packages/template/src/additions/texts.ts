import { checkReferences } from '../meaning/references.ts';
import type { Scope } from '../meaning/scope.ts';

/**
 * Checks references in commands, files and conditional variables. The older platform Cubeship has the same template
 * format, but does not support these references.
 */
export function checkAddedTexts(scope: Scope): void {
  for (const { text, path, place: keyKind } of scope.texts) {
    if (keyKind === 'added') checkReferences(scope, text, path);
  }
}
