import type { Severity } from '../diagnostic.ts';

/**
 * Group of a diagnostic code: one of the steps of the template check, or the check of a release's files by the catalog.
 */
export type Layer = 'parse' | 'shape' | 'meaning' | 'advice' | 'release';

export interface CodeInfo {
  severities: readonly Severity[];
  layer: Layer;
  /** Condition under which the code is reported, as one sentence for the reference. */
  means: string;
  /** Solution for the author of the template in one sentence. */
  fix: string;
}

type Make = (means: string, fix: string) => CodeInfo;

/** Returns functions that create the diagnostic codes of one group, by severity. */
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
