/** One request for an app, as the proxy tells it when it has ended. */
export interface AccessLine {
  /** Which process of the proxy it is of: when that began, milliseconds since the epoch. */
  process: number;
  /** The app's number at the proxy. */
  slot: number;
  /** How many lines the process has written of this backend, this one included. */
  lines: number;
  /** How many requests they stand for: those that were left out on purpose too. */
  requests: number;
  /** When it ended, milliseconds since the epoch. */
  at: number;
  status: number;
  /** From when the request was there to the head of the app's answer; null: the app did not answer. */
  ms: number | null;
  /** Of the answer, its head included. */
  bytes: number;
  /** Whether lines of other requests were left out at the rate of that moment. */
  sampled: boolean;
  /** In its one spelling. */
  host: string;
}

/** What a process of the proxy has counted of one app's requests. */
export type AccessStand = Pick<AccessLine, 'process' | 'slot' | 'lines' | 'requests'>;

/** Who is told. */
export interface AccessListener {
  /** Takes lines in the order in which they were written, but for what was written at once. */
  take(lines: readonly AccessLine[]): void;
  /** A process ends: of what it counted and no line told, none will tell but those that are on their way. */
  settle(stands: readonly AccessStand[]): void;
}

/** What the proxy tells of requests for apps. */
export interface AccessLog extends AsyncDisposable {
  /**
   * Tells what the proxy tells from now on, and what it has kept of the time in which nobody listened. What it had no room
   * for is missing in `lines`.
   */
  start(listener: AccessListener): Promise<void>;
}
