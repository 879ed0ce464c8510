import type { EventMessage, LogEvent, RunStreamMessage } from '@davit/api';

type WithoutId<M> = M extends unknown ? Omit<M, 'id'> : never;

type StreamMessage = WithoutId<EventMessage | RunStreamMessage>;

interface Position {
  /**
   * Position in the event stream. From this position, a client can later resume the event stream. Not set if the client
   * cannot resume after this event.
   */
  id?: number | string | undefined;
}

/** One server-sent event of an event stream. */
export type LiveEvent =
  /** Event with data. `json` contains the same data as JSON text. The data is serialized only once for all clients. */
  | (StreamMessage & Position & { json?: string })
  /**
   * Event with log lines of an app. `json` contains the complete event as JSON text. `data` contains the event without
   * the log lines.
   */
  | (Position & { event: 'log'; data: Omit<LogEvent, 'lines'>; json: string })
  /**
   * Message that contains no event, but only the current position in the event stream. A client can later resume the
   * event stream from this position.
   */
  | (Position & { event: null; data: null; json?: string });
