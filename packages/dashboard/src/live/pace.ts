/** Intervals and timeouts of the event stream, in milliseconds unless stated otherwise. */
export const PACE = {
  /** Interval in seconds between heartbeats in the event stream. */
  heartbeatS: 2,
  /** If an open event stream sends no data for this time in milliseconds, the connection counts as lost. */
  silentMs: 6_000,
  /** Maximum time in milliseconds for opening the event stream. */
  openMs: 10_000,
  /**
   * Time in milliseconds after which the page shows that the connection is lost. If the connection returns earlier, the
   * page shows nothing.
   */
  blinkMs: 1_500,
  /**
   * Delay in milliseconds before the second attempt to connect. The delay doubles for each further attempt, up to
   * `longestRetryMs`.
   */
  retryMs: 500,
  longestRetryMs: 5_000,
  tickMs: 1_000,
  /**
   * Interval in milliseconds between two pings to a browser tab. A tab that does not answer several pings
   * (`mostUnanswered`) is treated as closed.
   */
  pingMs: 4_000,
  mostUnanswered: 7,
  /**
   * If a browser tab gets no message from the hub for this time in milliseconds, it connects to a new hub. The hub
   * manages the event stream for all tabs.
   */
  lostMs: 13_000,
  /**
   * When a tab opens or closes the log of an app, the event stream is requested again after this delay in milliseconds.
   * All changes during the delay need only one new request.
   */
  settleMs: 40,
} as const;
