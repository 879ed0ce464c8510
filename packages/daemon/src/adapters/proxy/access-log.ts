/** One line of the HAProxy access log: a finished HTTP request for an app. */
export interface AccessLine {
  /**
   * Start time of the HAProxy process that wrote the log line, in milliseconds since the epoch. This time identifies
   * the HAProxy process.
   */
  process: number;
  /** Number that identifies the app in HAProxy. The app's HAProxy backend is named `b<slot>`. */
  slot: number;
  /** Number of log lines that the HAProxy process has written for this app, including this line. */
  lines: number;
  /**
   * Number of requests for this app that the HAProxy process has counted. It includes the requests that HAProxy
   * intentionally left out of the log.
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
   * `true` if HAProxy logged only a sample of the requests when it wrote this line, because the request rate was too
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
  /**
   * Receives access log lines in the order in which HAProxy sent them. HAProxy can send lines with the same time in any
   * order.
   */
  take(lines: readonly AccessLine[]): void;
  /**
   * Receives the final request counters of an HAProxy process that is about to exit. Log lines of this process can
   * still arrive after this call.
   */
  settle(stands: readonly AccessStand[]): void;
}

/** Source of access log lines. Each line is about one HTTP request for an app. */
export interface AccessLog extends AsyncDisposable {
  /**
   * Passes access log lines to the listener, first those that HAProxy buffered. Lost lines leave a gap in the field
   * `lines`.
   */
  start(listener: AccessListener): Promise<void>;
}
