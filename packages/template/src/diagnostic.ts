export type Severity = 'error' | 'warning' | 'info';

/** Path of a value in a template file: the keys and list positions from the root to the value. */
export type Path = readonly (string | number)[];

/**
 * Problem in a template. `path` is the path of the invalid value. The line and the column are added at the end of the
 * check.
 */
export interface Problem {
  severity: Severity;
  /** Diagnostic code, see codes.ts. */
  code: string;
  /** Description of the problem in one sentence. */
  message: string;
  path: Path;
  /** Description of how the author can solve the problem. Absent if the message already describes it. */
  hint?: string;
}

/** Problem in a template, with its line and column in the file. */
export interface Diagnostic extends Problem {
  /** Line number of the problem. The first line of the file is 1. Absent if the line is unknown. */
  line?: number;
  /** Column number in the line, in code points. The first column is 1. Absent if the column is unknown. */
  column?: number;
}
