import type { Severity } from '../diagnostic.ts';

/** Which part of a check gives a code: the layers of one file, or what the catalog finds around it in a release. */
export type Layer = 'parse' | 'shape' | 'meaning' | 'advice' | 'release';

export interface CodeInfo {
  severities: readonly Severity[];
  layer: Layer;
  /** One sentence for the reference: when it is given. */
  means: string;
  /** One sentence: what the author does about it. */
  fix: string;
}

type Make = (means: string, fix: string) => CodeInfo;

/** Makes the codes of one layer; most have one severity. */
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
