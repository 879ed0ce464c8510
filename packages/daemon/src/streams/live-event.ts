import type { EventMessage, LogEvent, RunStreamMessage } from '@davit/api';

type WithoutId<M> = M extends unknown ? Omit<M, 'id'> : never;

type StreamMessage = WithoutId<EventMessage | RunStreamMessage>;

interface Position {
  /** Position in the stream, from which a client can resume later. Absent: clients cannot resume at this event. */
  id?: number | string | undefined;
}

/** One server-sent event of a stream. */
export type LiveEvent =
  /** Event with data. `json` is the same data, serialized once for all clients. */
  | (StreamMessage & Position & { json?: string })
  /** Log lines. Only `json` contains them, and `data` has the other fields. */
  | (Position & { event: 'log'; data: Omit<LogEvent, 'lines'>; json: string })
  /** Position in the stream without an event. */
  | (Position & { event: null; data: null; json?: string });
