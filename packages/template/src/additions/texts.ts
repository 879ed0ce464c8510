import { checkReferences } from '../meaning/references.ts';
import type { Scope } from '../meaning/scope.ts';

/** What the texts refer to that the older format does not have: commands, files, conditional variables. */
export function checkAddedTexts(scope: Scope): void {
  for (const { text, path, place } of scope.texts) {
    if (place === 'added') checkReferences(scope, text, path);
  }
}
