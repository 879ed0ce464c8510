import type { EventMessage, LogEvent, RunStreamMessage } from '@davit/api';

type WithoutId<M> = M extends unknown ? Omit<M, 'id'> : never;

type StreamMessage = WithoutId<EventMessage | RunStreamMessage>;

interface Position {
  /**
   * Position in the event stream, from which a client can resume the stream later. If it is absent, the client cannot
   * resume at this event.
   */
  id?: number | string | undefined;
}

/** One server-sent event of an event stream. */
export type LiveEvent =
  /** Event with data. `json` contains the same data as JSON text. It is serialized once and used for all clients. */
  | (StreamMessage & Position & { json?: string })
  /**
   * Event with log lines of an app. `json` contains the complete event as JSON text. `data` contains the event without
   * the lines.
   */
  | (Position & { event: 'log'; data: Omit<LogEvent, 'lines'>; json: string })
  /**
   * Message that contains no event, only the current position in the event stream. A client can later resume the stream
   * from this position.
   */
  | (Position & { event: null; data: null; json?: string });
