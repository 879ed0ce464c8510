/** Intervals and timeouts of the event stream, in milliseconds unless stated otherwise. */
export const PACE = {
  /** Interval in seconds between heartbeats in the event stream. */
  heartbeatS: 2,
  /** If an open event stream sends no data for this time in milliseconds, the connection is treated as lost. */
  silentMs: 6_000,
  /** Maximum time in milliseconds for opening the event stream. */
  openMs: 10_000,
  /**
   * Time in milliseconds after which the page shows that the connection is lost. If the connection is restored earlier,
   * the page shows nothing.
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
   * Interval in milliseconds between two pings to a browser tab. If a tab does not answer several pings
   * (`mostUnanswered`), the tab is treated as closed.
   */
  pingMs: 4_000,
  mostUnanswered: 7,
  /**
   * If a browser tab gets no message from the hub for this time in milliseconds, the tab connects to a new hub. The hub
   * manages the event stream for all tabs.
   */
  lostMs: 13_000,
  /**
   * Delay in milliseconds before a new event stream is requested after a tab opens or closes the log of an app. All
   * changes during the delay cause only one request.
   */
  settleMs: 40,
} as const;
