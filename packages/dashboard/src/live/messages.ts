import type { ErrorCode, EventMessage, LogEvent } from '@davit/api';

/**
 * State of the event stream. `connecting` means never connected so far. `away` means that the connection was lost and
 * is being restored.
 */
export type LiveState = 'connecting' | 'live' | 'away';

/** Event from the server's event stream, except log lines and the end of the stream. */
export type Happened = Exclude<EventMessage, { event: 'log' | 'reset' }>;

/** Log line of an app in an event from the server. */
export type LogLine = LogEvent['lines'][number];

/**
 * Error of the server as a plain object. `postMessage` between worker and tab would drop the fields of a DavitError.
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
   * Checks whether the tab still runs. Closed, crashed and frozen tabs do not answer. The tab has received all events
   * before `at`, in milliseconds since the epoch.
   */
  | { kind: 'ping'; at: number }
  | { kind: 'state'; state: LiveState }
  | { kind: 'happened'; happened: Happened }
  /**
   * The tab must refetch answers that are older than `before`, in milliseconds since the epoch, because events may be
   * lost.
   */
  | { kind: 'reread'; before: number }
  /** Log message for followers in the tab. `to` contains the ids that the tab gave to these followers. */
  | { kind: 'log'; to: number[]; told: LinesMessage }
  | { kind: 'signed_out' }
  /** The user signed out in another tab, so this tab must sign out too. */
  | { kind: 'left' };

export type ToHub =
  /**
   * Registers the tab with the hub. The tab has received all events before `since`, in milliseconds since the epoch.
   */
  | { kind: 'join'; since: number }
  | { kind: 'here' }
  /** The tab has processed a message with log lines. The hub limits the number of unprocessed messages. */
  | { kind: 'took' }
  | { kind: 'follow'; id: number; app: string }
  | { kind: 'unfollow'; id: number }
  | { kind: 'signed_in' }
  /** The user signed out in this tab, so all other tabs sign out too. */
  | { kind: 'left' }
  | { kind: 'leave' };

/** Part of the MessagePort interface that the hub and the tabs use. */
export interface Port<Sent, Heard> {
  postMessage(message: Sent): void;
  onmessage: ((event: { data: Heard }) => void) | null;
  close(): void;
}

export type HubPort = Port<ToTab, ToHub>;
export type TabPort = Port<ToHub, ToTab>;
