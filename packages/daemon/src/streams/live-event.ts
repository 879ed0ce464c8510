import type { EventMessage, LogEvent, RunStreamMessage } from '@davit/api';

type WithoutId<M> = M extends unknown ? Omit<M, 'id'> : never;

/** A message of any stream, as the API declares it. */
type StreamMessage = WithoutId<EventMessage | RunStreamMessage>;

interface Position {
  /** Position at which a client can resume. A client cannot resume at a message without a position. */
  id?: number | string | undefined;
}

/** One message of a stream. */
export type LiveEvent =
  /** A message. `json` contains the same data, serialized once for many clients. */
  | (StreamMessage & Position & { json?: string })
  /** Lines of a log. Only `json` contains the lines. */
  | (Position & { event: 'log'; data: Omit<LogEvent, 'lines'>; json: string })
  /** A position of the stream without an event. */
  | (Position & { event: null; data: null; json?: string });
