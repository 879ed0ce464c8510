/** Intervals and limits of the connection, in milliseconds unless a field says otherwise. */
export const PACE = {
  /** Interval in seconds at which the server sends a heartbeat. */
  heartbeatS: 2,
  /** Time without any bytes after which an open connection counts as lost. */
  silentMs: 6_000,
  /** Time without an answer after which an attempt to connect counts as failed. */
  openMs: 10_000,
  /** Time within which a broken connection can be replaced without being shown as lost. */
  blinkMs: 1_500,
  /** Delay before the second attempt. The delay doubles with each further attempt, up to `longestRetryMs`. */
  retryMs: 500,
  longestRetryMs: 5_000,
  tickMs: 1_000,
  /** Interval of the pings to the tabs. A tab is removed after `mostUnanswered` pings without an answer. */
  pingMs: 4_000,
  mostUnanswered: 7,
  /** Time without a message after which a tab assumes that it has lost the hub. */
  lostMs: 13_000,
  /** Delay after a change of the followed apps, so that changes close together cause only one new request. */
  settleMs: 40,
} as const;
