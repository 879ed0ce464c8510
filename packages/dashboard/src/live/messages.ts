import type { ErrorCode, EventMessage, LogEvent } from '@davit/api';

/**
 * State of the event stream. `connecting` is the first connection attempt after the page was opened. `live` means
 * connected, and `away` means reconnecting.
 */
export type LiveState = 'connecting' | 'live' | 'away';

/** Event from the event stream of the server, except log lines and the end of the event stream. */
export type Happened = Exclude<EventMessage, { event: 'log' | 'reset' }>;

/** Log line of an app, as in an event from the server. */
export type LogLine = LogEvent['lines'][number];

/**
 * Server error as a plain object for messages between the shared worker and a tab. `postMessage` would remove fields of
 * a `DavitError`.
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
   * Message with which the hub checks whether a tab is still open. A closed or frozen tab does not answer. The hub has
   * already sent all events before `at` (milliseconds since the epoch) to the tab.
   */
  | { kind: 'ping'; at: number }
  | { kind: 'state'; state: LiveState }
  | { kind: 'happened'; happened: Happened }
  /**
   * Message to a tab that may have missed events. The tab fetches API responses again if they are older than `before`
   * (milliseconds since the epoch).
   */
  | { kind: 'reread'; before: number }
  /**
   * Message with log lines of an app to a tab. `to` contains the ids that the tab has given to the listeners of this
   * log.
   */
  | { kind: 'log'; to: number[]; told: LinesMessage }
  | { kind: 'signed_out' }
  /** Message to a tab that the user has signed out in another tab. The tab must sign the user out too. */
  | { kind: 'left' };

export type ToHub =
  /**
   * First message from a tab to the hub, which sends events from the server to the tabs. The tab already has all events
   * before `since` (milliseconds since the epoch).
   */
  | { kind: 'join'; since: number }
  | { kind: 'here' }
  /**
   * Message from a tab that has processed a message with log lines. The number of unprocessed messages per tab is
   * limited.
   */
  | { kind: 'took' }
  | { kind: 'follow'; id: number; app: string }
  | { kind: 'unfollow'; id: number }
  | { kind: 'signed_in' }
  /** Message from a tab in which the user has signed out. All other tabs then sign the user out too. */
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
