import type { ErrorCode, EventMessage, LogEvent } from '@davit/api';

/**
 * State of the event stream. `connecting`: the first connection since the page was opened is not ready yet. `live`: the
 * stream is connected. `away`: the connection was lost, and the browser tries to reconnect.
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
   * Message that a browser tab must answer, so that the sender knows that the tab still runs. A closed, crashed or
   * frozen tab does not answer. `at` is the current time in milliseconds since the epoch. All events before this time
   * were sent to the tab earlier.
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
   * First message from a browser tab to the hub, which forwards the events of the server to all tabs. The tab needs
   * only events from the time `since` on (milliseconds since the epoch), because the tab has all earlier events.
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
