import type { Severity } from '../diagnostic.ts';

/**
 * Part of the template check that reports a problem. For example, `parse` checks the YAML syntax, and `release` checks
 * the files of a release in the catalog.
 */
export type Layer = 'parse' | 'shape' | 'meaning' | 'advice' | 'release';

export interface CodeInfo {
  severities: readonly Severity[];
  layer: Layer;
  /** Condition under which the diagnostic code is reported. The documentation shows this condition as one sentence. */
  means: string;
  /** One sentence about how the template author can correct the problem. */
  fix: string;
}

type Make = (means: string, fix: string) => CodeInfo;

/**
 * Returns functions that define diagnostic codes for one part of the template check. Each severity has its own
 * function, for example `error` and `warning`.
 */
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
