import type { Severity } from '../diagnostic.ts';

/**
 * Part of the check that reports a code: a layer of the check of one file, or the check of a release by the catalog.
 */
export type Layer = 'parse' | 'shape' | 'meaning' | 'advice' | 'release';

export interface CodeInfo {
  severities: readonly Severity[];
  layer: Layer;
  /** Condition under which the code is reported. One sentence for the reference. */
  means: string;
  /** Solution for the author. One sentence. */
  fix: string;
}

type Make = (means: string, fix: string) => CodeInfo;

/** Returns functions that create the codes of one layer. Most codes have one severity. */
export function codesOf(layer: Layer): { error: Make; warning: Make; info: Make; errorOrWarning: Make } {
  const make =
    (...severities: Severity[]): Make =>
    (means, fix) => ({ severities, layer, means, fix });
  return {
    error: make('error'),
    warning: make('warning'),
    info: make('info'),
    errorOrWarning: make('error', 'warning'),
  };
}
