import type { Severity } from '../diagnostic.ts';

/** Step of the template check that finds a problem. `release` is the check of a release's files in the catalog. */
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
