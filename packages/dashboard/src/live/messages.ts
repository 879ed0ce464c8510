/** Messages between the tabs and the hub that holds the connection. */
import type { ErrorCode, EventMessage, LogEvent } from '@davit/api';

/**
 * State of the connection: `connecting` before the first success, `away` when it was lost and reconnects automatically.
 */
export type LiveState = 'connecting' | 'live' | 'away';

/** An event of the instance's stream, except log lines and the end of the stream. */
export type Happened = Exclude<EventMessage, { event: 'log' | 'reset' }>;

/** A line of an app's log as the stream sends it. */
export type LogLine = LogEvent['lines'][number];

/** A refusal as plain data, because an error loses its own fields when it is sent to a tab. */
export interface Refusal {
  code: ErrorCode;
  message: string;
}

export type LinesTold = { kind: 'lines'; lines: LogLine[] } | { kind: 'gap' } | { kind: 'refused'; refusal: Refusal };

export type ToTab =
  /**
   * Checks that the tab is alive. A closed, crashed or frozen tab does not answer. The tab has received all events
   * before `at`, in milliseconds since the epoch.
   */
  | { kind: 'ping'; at: number }
  | { kind: 'state'; state: LiveState }
  | { kind: 'happened'; happened: Happened }
  /** Answers from before this moment may be stale, and no event says so. Milliseconds since the epoch. */
  | { kind: 'reread'; before: number }
  /** `to` contains the ids of the tab's follows that get the message. */
  | { kind: 'log'; to: number[]; told: LinesTold }
  | { kind: 'signed_out' }
  /** The user has signed out in another tab. */
  | { kind: 'left' };

export type ToHub =
  /** The tab has all events from before `since`, in milliseconds since the epoch. */
  | { kind: 'join'; since: number }
  | { kind: 'here' }
  /** The tab has processed one message with log lines, so the hub may send another. */
  | { kind: 'took' }
  | { kind: 'follow'; id: number; app: string }
  | { kind: 'unfollow'; id: number }
  | { kind: 'signed_in' }
  /** The user has signed out, which applies to all tabs. */
  | { kind: 'left' }
  | { kind: 'leave' };

/** The part of a message port that the hub and the tabs use. */
export interface Port<Sent, Heard> {
  postMessage(message: Sent): void;
  onmessage: ((event: { data: Heard }) => void) | null;
  close(): void;
}

export type HubPort = Port<ToTab, ToHub>;
export type TabPort = Port<ToHub, ToTab>;
