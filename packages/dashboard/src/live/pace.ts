/** Intervals and timeouts of the event stream, in milliseconds unless stated otherwise. */
export const PACE = {
  /** Interval in seconds between heartbeats of the server. */
  heartbeatS: 2,
  /** Time without any bytes after which the connection counts as lost. */
  silentMs: 6_000,
  /** Timeout of an attempt to connect. */
  openMs: 10_000,
  /** Time for a reconnect without the page showing that the connection is lost. */
  blinkMs: 1_500,
  /**
   * Delay before the second attempt to connect. The delay doubles for each further attempt, up to `longestRetryMs`.
   */
  retryMs: 500,
  longestRetryMs: 5_000,
  tickMs: 1_000,
  /** Interval between pings to the tabs. The hub removes a tab after `mostUnanswered` pings without an answer. */
  pingMs: 4_000,
  mostUnanswered: 7,
  /** Time without a message from the hub after which a tab connects to a new hub. */
  lostMs: 13_000,
  /**
   * Delay between a change of the followed apps and the new request, so that several changes cause only one request.
   */
  settleMs: 40,
} as const;
