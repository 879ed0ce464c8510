export type Severity = 'error' | 'warning' | 'info';

/** Path of a value in a template file. It consists of the keys and list indexes from the root to the value. */
export type Path = readonly (string | number)[];

/**
 * Problem in a template. `path` is the path of the invalid value. The line and the column are determined at the end of
 * the check.
 */
export interface Problem {
  severity: Severity;
  /** Diagnostic code from `codes.ts`. */
  code: string;
  /** Description of the problem in one sentence. */
  message: string;
  path: Path;
  /** Solution for the author. Absent if the message already describes the solution. */
  hint?: string;
}

/** Problem in a template, with its line and column in the file. */
export interface Diagnostic extends Problem {
  /** Line number of the problem. The first line of the file is 1. Absent if the line is unknown. */
  line?: number;
  /** Column number of the problem in code points. The first column is 1. Absent if the column is unknown. */
  column?: number;
}
