/** One ended request for an app, as the proxy reports it. */
export interface AccessLine {
  /**
   * Start time in milliseconds since the epoch of the proxy process that wrote the line. The time identifies the
   * process.
   */
  process: number;
  /** Number of the app at the proxy. */
  slot: number;
  /** Number of lines that the process has written for this backend, including this line. */
  lines: number;
  /** Number of requests that these lines represent, including requests that were deliberately left out. */
  requests: number;
  /** End of the request in milliseconds since the epoch. */
  at: number;
  status: number;
  /**
   * Time in milliseconds from the complete request to the head of the app's response, or `null` if the app did not
   * respond.
   */
  ms: number | null;
  /** Size of the response in bytes, including its head. */
  bytes: number;
  /** Whether lines of other requests were left out because of the request rate at that moment. */
  sampled: boolean;
  /** Host of the request in its canonical form. */
  host: string;
}

/** Counters of a proxy process for the requests of one app. */
export type AccessStand = Pick<AccessLine, 'process' | 'slot' | 'lines' | 'requests'>;

/** Receiver of the lines. */
export interface AccessListener {
  /** Receives lines in the order in which the proxy wrote them. Lines of the same moment may be in any order. */
  take(lines: readonly AccessLine[]): void;
  /**
   * Receives the counters of a process that ends. No lines follow for these counts, except lines that are already on
   * their way.
   */
  settle(stands: readonly AccessStand[]): void;
}

/** Source of lines about requests for apps. */
export interface AccessLog extends AsyncDisposable {
  /**
   * Begins to pass on lines, including lines that the proxy buffered while no listener was connected. If the buffer was
   * full, `lines` shows how many lines were lost.
   */
  start(listener: AccessListener): Promise<void>;
}
