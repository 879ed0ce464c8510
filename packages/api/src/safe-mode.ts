/**
 * Requests of safe mode. In safe mode, the daemon cannot open its state (the database and the master key). It accepts
 * these requests only on the Unix socket of the server. They are not part of the OpenAPI document, because clients
 * cannot send them over the network.
 */

/** Reasons for safe mode. */
export const SAFE_MODE_PROBLEMS = [
  'damaged',
  'missing',
  'log damaged',
  'newer',
  'mismatched',
  'unreadable',
  'full',
  'key',
] as const;

export type SafeModeProblem = (typeof SAFE_MODE_PROBLEMS)[number];

/** URL paths of the requests. */
export const SAFE_MODE_PATHS = {
  /** GET: checks all files. The response is a `StateReport`. */
  verify: '/safe-mode/state',
  /** POST: writes all readable rows to a new file. The response is an `ExportReport`. */
  export: '/safe-mode/export',
  /** GET: content of the file that the last export wrote. */
  exported: '/safe-mode/export/file',
  /** PUT: receives the write-ahead log of a database copy. Send it before the copy. The response is empty. */
  receiveLog: '/safe-mode/restore/log',
  /**
   * PUT: receives a database copy, verifies it and replaces the database. The response is a `RestoreReport`. The query
   * `log=true` says that the write-ahead log of the copy was sent before. The query `accept_rows=true` accepts rows that
   * were changed outside of Davit.
   */
  restore: '/safe-mode/restore/database',
  /**
   * POST: opens the state again, for example after a repair. The response is a `ResumeReport`. The query
   * `accept_rows=true` accepts rows that were changed outside of Davit.
   */
  resume: '/safe-mode/resume',
} as const;

export interface FileReport {
  /** Name of the file in the data directory. The master key can have any path. */
  file: string;
  state: 'good' | 'damaged' | 'missing' | 'unknown';
  /** Findings of the checks. Empty if the file is good. */
  findings: string[];
}

export interface StateReport {
  problem: SafeModeProblem;
  /** What happened and what to do, with the paths of files. */
  message: string;
  files: FileReport[];
}

/** Rows of one table that the exported file does not contain. */
export interface LostRows {
  table: string;
  /** Number of lost rows. `null` if the number is unknown, because the rows cannot be read. */
  rows: number | null;
  why: string;
}

export interface ExportReport {
  size_bytes: number;
  /** Number of exported rows. */
  rows: number;
  lost: LostRows[];
}

export interface RestoreReport {
  /** Folder with the previous files of the database. */
  previous: string;
  /** Reason why the instance is still in safe mode. `null` if the instance starts. */
  problem: SafeModeProblem | null;
  message: string | null;
}

export type ResumeReport = Pick<RestoreReport, 'problem' | 'message'>;
