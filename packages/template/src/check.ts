import type { Diagnostic } from './diagnostic.ts';
import type { Manifest } from './manifest.ts';
import { readTemplate } from './read.ts';

/** The validator's own number: it grows with each change that can change what a file gets, and the catalog reads again. */
export const VALIDATOR_VERSION = 1;

export interface Checked {
  /** Null exactly when one of the diagnostics is an error. */
  manifest: Manifest | null;
  diagnostics: Diagnostic[];
}

/**
 * Checks a template and normalizes it: parse, shape, meaning, advice. Never throws, and ends within bounded time and
 * memory, whatever the text.
 */
export function checkTemplate(text: string): Checked {
  readTemplate(text);
  throw new Error('not written yet');
}
