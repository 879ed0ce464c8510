import { checkReferences } from '../meaning/references.ts';
import type { Scope } from '../meaning/scope.ts';

/** Checks references in texts that the Cubeship format does not have: commands, files and conditional variables. */
export function checkAddedTexts(scope: Scope): void {
  for (const { text, path, place } of scope.texts) {
    if (place === 'added') checkReferences(scope, text, path);
  }
}
