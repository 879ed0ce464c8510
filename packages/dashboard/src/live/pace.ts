/** Intervals and timeouts of the event stream, in milliseconds unless stated otherwise. */
export const PACE = {
  /** Interval in seconds between heartbeats in the event stream. */
  heartbeatS: 2,
  /** Milliseconds without any bytes after which an open event stream counts as lost. */
  silentMs: 6_000,
  /** Timeout in milliseconds of an attempt to open the event stream. */
  openMs: 10_000,
  /** Milliseconds within which the event stream can reconnect before the page shows that the connection is lost. */
  blinkMs: 1_500,
  /**
   * Delay in milliseconds before the second attempt to connect. The delay doubles for each further attempt, up to
   * `longestRetryMs`.
   */
  retryMs: 500,
  longestRetryMs: 5_000,
  tickMs: 1_000,
  /**
   * Interval in milliseconds between pings to the tabs. The hub removes a tab after `mostUnanswered` pings without an
   * answer.
   */
  pingMs: 4_000,
  mostUnanswered: 7,
  /** Milliseconds without a message from the hub after which a tab connects to a new hub. */
  lostMs: 13_000,
  /**
   * Delay in milliseconds between a change of the followed apps and the new request. Several changes thus cause only
   * one request.
   */
  settleMs: 40,
} as const;
