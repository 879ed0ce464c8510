import type { EventMessage, LogEvent, RunStreamMessage } from '@davit/api';

type WithoutId<M> = M extends unknown ? Omit<M, 'id'> : never;

/** A message of any stream, as the API declares it. */
type StreamMessage = WithoutId<EventMessage | RunStreamMessage>;

interface Position {
  /** Where a reader continues. A message without one cannot be resumed at. */
  id?: number | string | undefined;
}

/** One message of a live answer. */
export type LiveEvent =
  /** `json`: the same data, serialized once for many readers. */
  | (StreamMessage & Position & { json?: string })
  /** Lines of a log, which are only in `json`. */
  | (Position & { event: 'log'; data: Omit<LogEvent, 'lines'>; json: string })
  /** No event: only the position at which the stream is. */
  | (Position & { event: null; data: null; json?: string });
