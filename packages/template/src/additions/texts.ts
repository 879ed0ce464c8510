import { checkReferences } from '../meaning/references.ts';
import type { Scope } from '../meaning/scope.ts';

/** Checks references in commands, files and conditional variables, which do not exist in Cubeship's format. */
export function checkAddedTexts(scope: Scope): void {
  for (const { text, path, place } of scope.texts) {
    if (place === 'added') checkReferences(scope, text, path);
  }
}
