import { checkReferences } from '../meaning/references.ts';
import type { Scope } from '../meaning/scope.ts';

/**
 * Checks the references in commands, files and conditional variables. Cubeship, an older platform with the same
 * template format, has none of these features.
 */
export function checkAddedTexts(scope: Scope): void {
  for (const { text, path, place } of scope.texts) {
    if (place === 'added') checkReferences(scope, text, path);
  }
}
