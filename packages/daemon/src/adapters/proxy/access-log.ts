/** One line of the HAProxy access log. Each line describes one finished HTTP request to an app. */
export interface AccessLine {
  /**
   * Start time of the HAProxy process that wrote the log line, in milliseconds since the epoch. The start time
   * identifies the HAProxy process.
   */
  process: number;
  /** Number of the app in HAProxy. The app's HAProxy backend has the name `b<slot>`. */
  slot: number;
  /** Number of log lines that the HAProxy process has written for this app, including this line. */
  lines: number;
  /**
   * Number of requests to this app that the HAProxy process has received. The number includes requests that HAProxy
   * intentionally did not log.
   */
  requests: number;
  /** End time of the request, in milliseconds since the epoch. */
  at: number;
  status: number;
  /**
   * Time in milliseconds from the end of the request to the first byte of the app's response. `null` if the app did not
   * respond.
   */
  ms: number | null;
  /** Size of the response in bytes, including its headers. */
  bytes: number;
  /**
   * `true` if HAProxy logged only a sample of the requests when it wrote this log line, because the request rate was
   * high.
   */
  sampled: boolean;
  /** Host name of the request in lower case, without port and trailing dot. */
  host: string;
}

/** Request counters of one HAProxy process for one app. */
export type AccessStand = Pick<AccessLine, 'process' | 'slot' | 'lines' | 'requests'>;

/** Receives the access log lines of HAProxy. */
export interface AccessListener {
  /** Receives access log lines in HAProxy's order. Lines with the same timestamp can be in any order. */
  take(lines: readonly AccessLine[]): void;
  /**
   * Receives the final request counters of an HAProxy process that will soon exit. Log lines of this process can still
   * arrive after this call.
   */
  settle(stands: readonly AccessStand[]): void;
}

/** Source of access log lines. Each line describes one HTTP request to an app. */
export interface AccessLog extends AsyncDisposable {
  /**
   * Starts to pass access log lines to the listener. Lines that HAProxy has buffered come first. If lines are lost, the
   * numbers in the field `lines` have a gap.
   */
  start(listener: AccessListener): Promise<void>;
}
