export type Severity = 'error' | 'warning' | 'info';

/** Keys and list positions from the root of the file. */
export type Path = readonly (string | number)[];

/** What a check says of one place: where it stands in the text is added at the end. */
export interface Problem {
  severity: Severity;
  /** One of the closed list of codes.ts. */
  code: string;
  /** One sentence. */
  message: string;
  path: Path;
  /** What to do about it; absent: the message says it. */
  hint?: string;
}

/** What is told to authors, programs and the catalog's readers. */
export interface Diagnostic extends Problem {
  /** From 1; absent: nobody knows. */
  line?: number;
  /** From 1, in code points. */
  column?: number;
}
