export type Severity = 'error' | 'warning' | 'info';

/** Keys and list positions from the root of the file. */
export type Path = readonly (string | number)[];

/** A problem at a path. Its position in the text is added at the end. */
export interface Problem {
  severity: Severity;
  /** Code from codes.ts. */
  code: string;
  /** Problem in one sentence. */
  message: string;
  path: Path;
  /** Solution. Absent if the message contains it. */
  hint?: string;
}

/** A problem with its position, for authors, programs and pages of the catalog. */
export interface Diagnostic extends Problem {
  /** Line from 1. Absent if unknown. */
  line?: number;
  /** Column from 1, in code points. */
  column?: number;
}
