import type { Severity } from '../diagnostic.ts';

/**
 * Group of a diagnostic code. A group is a step of the template check, or the catalog's check of the files of a
 * release.
 */
export type Layer = 'parse' | 'shape' | 'meaning' | 'advice' | 'release';

export interface CodeInfo {
  severities: readonly Severity[];
  layer: Layer;
  /** Condition under which the diagnostic code is reported. The documentation shows it as one sentence. */
  means: string;
  /** What the author of the template must do, in one sentence. */
  fix: string;
}

type Make = (means: string, fix: string) => CodeInfo;

/** Returns functions that create the diagnostic codes of one group, one function per severity. */
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
