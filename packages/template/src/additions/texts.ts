import { checkReferences } from '../meaning/references.ts';
import type { Scope } from '../meaning/scope.ts';

/**
 * Checks references in commands, files and conditional variables, which the older platform Cubeship with the same
 * format does not support.
 */
export function checkAddedTexts(scope: Scope): void {
  for (const { text, path, place: keyKind } of scope.texts) {
    if (keyKind === 'added') checkReferences(scope, text, path);
  }
}
