/** How fast things are noticed and tried again, in milliseconds. */
export const PACE = {
  /** The server is asked to say something at least so often, in seconds … */
  heartbeatS: 2,
  /** … and what has said nothing for so long is gone. */
  silentMs: 6_000,
  /** What does not answer within this does not. */
  openMs: 10_000,
  /** A connection that breaks and is back within this was never away. */
  blinkMs: 1_500,
  /** How long it is waited before the second attempt; twice as long before each further one, up to the longest. */
  retryMs: 500,
  longestRetryMs: 5_000,
  tickMs: 1_000,
  /** How often tabs are asked whether they are there, and how often they may leave that unanswered. */
  pingMs: 4_000,
  mostUnanswered: 7,
  /** A tab that is told nothing for so long has lost whoever holds the connection. */
  lostMs: 13_000,
  /** Follows that come and go together change the question once. */
  settleMs: 40,
} as const;
