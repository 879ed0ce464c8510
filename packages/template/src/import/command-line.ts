import { listOf, textOf } from './values.ts';
import type { Variables } from './variables.ts';

/**
 * Returns the words of `command` or `entrypoint` of a Compose service. Placeholders replace the Compose variables in
 * the words. Returns `null` if there are no words.
 */
export function wordsOfCommand(value: unknown, variables: Variables): string[] | null {
  if (value === undefined || value === null) return null;
  const words = typeof value === 'string' ? splitWords(variables.mark(value)) : listed(value, variables);
  return words.length === 0 ? null : words;
}

function listed(value: unknown, variables: Variables): string[] {
  return listOf(value).flatMap((word) => {
    const text = textOf(word);
    return text === null ? [] : [variables.mark(text)];
  });
}

/** Splits a command line into words like a shell, but does not expand variables or patterns. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  const piece = /\s+|"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])|([^\s"'\\]+)|["']([\s\S]*)$|\\$/g;
  let word: string | null = null;
  for (const [, double, single, escaped, plain, open] of text.matchAll(piece)) {
    const part = double?.replaceAll(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? plain ?? open;
    if (part !== undefined) word = (word ?? '') + part;
    else if (word !== null) {
      words.push(word);
      word = null;
    }
  }
  return word === null ? words : [...words, word];
}
