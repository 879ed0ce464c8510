import type { ErrorCode, EventMessage, LogEvent } from '@davit/api';

/**
 * State of the event stream. `connecting` means that it has not been connected since the page was opened. `away` means
 * that the connection was lost and the browser reconnects.
 */
export type LiveState = 'connecting' | 'live' | 'away';

/** Event from the server's event stream, except log lines and the end of the stream. */
export type Happened = Exclude<EventMessage, { event: 'log' | 'reset' }>;

/** Log line of an app in an event from the server. */
export type LogLine = LogEvent['lines'][number];

/**
 * Server error as a plain object, for messages between the shared worker and a tab. It is needed because `postMessage`
 * would drop the fields of a `DavitError`.
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
   * Message that checks whether a browser tab is still running. Closed, crashed and frozen tabs do not reply. `at` is a
   * time in milliseconds since the epoch. The tab was already sent all events before this time.
   */
  | { kind: 'ping'; at: number }
  | { kind: 'state'; state: LiveState }
  | { kind: 'happened'; happened: Happened }
  /**
   * Message to a browser tab that may have missed events. The tab then refreshes all API responses that are older than
   * `before`. This time is in milliseconds since the epoch.
   */
  | { kind: 'reread'; before: number }
  /**
   * Message to a browser tab with log lines of an app. `to` contains the ids of the listeners in this tab that receive
   * the lines. The tab assigns an id to each of its listeners.
   */
  | { kind: 'log'; to: number[]; told: LinesMessage }
  | { kind: 'signed_out' }
  /** Message to a tab to sign out, because the user signed out in another tab. */
  | { kind: 'left' };

export type ToHub =
  /**
   * First message from a tab to the hub, which manages the event stream. `since` is the time in milliseconds since the
   * epoch up to which the tab has received all events.
   */
  | { kind: 'join'; since: number }
  | { kind: 'here' }
  /**
   * A browser tab sends this message after it has processed log lines. The message is needed because the number of
   * unprocessed messages per tab is limited.
   */
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
