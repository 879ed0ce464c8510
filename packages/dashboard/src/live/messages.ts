/** What tabs and the holder of the connection say to each other. */
import type { ErrorCode, EventMessage, LogEvent } from '@davit/api';

/** `connecting`: for the first time. `away`: it was live, and is trying again by itself. */
export type LiveState = 'connecting' | 'live' | 'away';

/** What happens on the instance: the messages of its stream, without lines of logs and what ends the stream. */
export type Happened = Exclude<EventMessage, { event: 'log' | 'reset' }>;

/** A line of an app's log as it is followed. */
export type LogLine = LogEvent['lines'][number];

/** A refusal on its way to a tab: an error keeps nothing of its own on the way. */
export interface Refusal {
  code: ErrorCode;
  message: string;
}

/** What is told of an app's lines. */
export type LinesTold = { kind: 'lines'; lines: LogLine[] } | { kind: 'gap' } | { kind: 'refused'; refusal: Refusal };

export type ToTab =
  /**
   * Asks whether the tab is there: whoever is closed, has crashed or is frozen does not answer. Who gets it was told all
   * that came before this moment: milliseconds since the epoch.
   */
  | { kind: 'ping'; at: number }
  | { kind: 'state'; state: LiveState }
  | { kind: 'happened'; happened: Happened }
  /** What was answered before this moment may have changed without a word: milliseconds since the epoch. */
  | { kind: 'reread'; before: number }
  /** `to`: which of the tab's follows are told. */
  | { kind: 'log'; to: number[]; told: LinesTold }
  | { kind: 'signed_out' }
  /** Whoever is signed in has left, by another tab. */
  | { kind: 'left' };

export type ToHub =
  /** `since`: the tab knows all that was told before; milliseconds since the epoch. */
  | { kind: 'join'; since: number }
  | { kind: 'here' }
  /** Lines were taken: so many messages with lines may be sent again. */
  | { kind: 'took' }
  | { kind: 'follow'; id: number; app: string }
  | { kind: 'unfollow'; id: number }
  | { kind: 'signed_in' }
  /** Whoever was signed in has signed out, in all tabs. */
  | { kind: 'left' }
  | { kind: 'leave' };

/** The part of a message port that is needed here. */
export interface Port<Sent, Heard> {
  postMessage(message: Sent): void;
  onmessage: ((event: { data: Heard }) => void) | null;
  close(): void;
}

export type HubPort = Port<ToTab, ToHub>;
export type TabPort = Port<ToHub, ToTab>;
