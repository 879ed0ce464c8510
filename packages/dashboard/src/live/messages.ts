import type { ErrorCode, EventMessage, LogEvent } from '@davit/api';

/**
 * State of the event stream: `connecting` for the first time after the page was opened, `live` (connected), or `away`
 * (reconnecting).
 */
export type LiveState = 'connecting' | 'live' | 'away';

/** Event from the server's event stream, except log lines and the end of the stream. */
export type Happened = Exclude<EventMessage, { event: 'log' | 'reset' }>;

/** Log line of an app in an event from the server. */
export type LogLine = LogEvent['lines'][number];

/**
 * Server error as a plain object for messages between the shared worker and a tab, because `postMessage` drops fields
 * of a `DavitError`.
 */
export interface Refusal {
  code: ErrorCode;
  message: string;
}

export type LinesMessage =
  | { kind: 'lines'; lines: LogLine[] }
  | { kind: 'gap' }
  | { kind: 'refused'; refusal: Refusal };

export type ToTab =
  /**
   * Message that asks a tab whether it is still open. A closed or frozen tab does not answer. The tab has received all
   * events before `at` (milliseconds since the epoch).
   */
  | { kind: 'ping'; at: number }
  | { kind: 'state'; state: LiveState }
  | { kind: 'happened'; happened: Happened }
  /**
   * Message to a tab that may have missed events. The tab refreshes API responses older than `before` (milliseconds
   * since the epoch).
   */
  | { kind: 'reread'; before: number }
  /**
   * Message to a tab with log lines of an app. `to` contains the ids that the tab has assigned to the receiving
   * listeners.
   */
  | { kind: 'log'; to: number[]; told: LinesMessage }
  | { kind: 'signed_out' }
  /** Message to a tab to sign out, because the user signed out in another tab. */
  | { kind: 'left' };

export type ToHub =
  /**
   * First message from a tab to the hub, which forwards server events. The tab has all events before `since`
   * (milliseconds since the epoch).
   */
  | { kind: 'join'; since: number }
  | { kind: 'here' }
  /** Message from a tab that has processed log lines, because the number of unprocessed messages per tab is limited. */
  | { kind: 'took' }
  | { kind: 'follow'; id: number; app: string }
  | { kind: 'unfollow'; id: number }
  | { kind: 'signed_in' }
  /** Message from a tab in which the user signed out, so that all other tabs sign out too. */
  | { kind: 'left' }
  | { kind: 'leave' };

/** Part of the `MessagePort` interface that the shared worker and the tabs use. */
export interface Port<Sent, Heard> {
  postMessage(message: Sent): void;
  onmessage: ((event: { data: Heard }) => void) | null;
  close(): void;
}

export type HubPort = Port<ToTab, ToHub>;
export type TabPort = Port<ToHub, ToTab>;
