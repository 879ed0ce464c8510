import { DavitError } from './errors.ts';
import { readEventStream } from './event-stream.ts';

/**
 * A message of a live answer. `id` is the position from which the stream is resumed, and is empty until an event has
 * one.
 */
export type LiveMessage<M> = M & { id: string };

/** Opens the connections of one stream. */
export interface Requester {
  /** Whether the request is a read. Only reads are repeated. */
  isRead: boolean;
  /** Whether a read is also not repeated. */
  isOnce?: boolean;
  /** Called when a lost connection cannot be opened again immediately. */
  onAway?(): void;
  /** Receives the position of the stream when the server sends it without an event. */
  onPosition?(id: string): void;
  /**
   * Opens a connection.
   * @param lastEventId last received id, or an empty text to begin as the request states
   * @returns `null` if the stream has ended
   * @throws DavitError if the request is refused
   */
  open(lastEventId: string, signal: AbortSignal | undefined): Promise<ReadableStream<Uint8Array> | null>;
}

const RETRY_MS = 2_000;
/** Maximum pause in milliseconds between attempts. A restart of an instance takes less time than the first attempts. */
const LONGEST_RETRY_MS = 30_000;

/** Reads a stream to its end, over as many connections as necessary. @typeParam M messages of the operation */
export async function* follow<M>(requester: Requester, signal?: AbortSignal): AsyncGenerator<LiveMessage<M>> {
  let last = '';
  let pauseMs = RETRY_MS;
  let isAway = false;
  for (let failures = 0; ; ) {
    const body = await open(requester, last, signal, failures > 0 || last !== '');
    if (body === null) return;
    let told = false;
    if (body === 'away' && !isAway) requester.onAway?.();
    isAway = body === 'away';
    if (body !== 'away') {
      try {
        const onPosition = (id: string) => {
          last = id;
          requester.onPosition?.(id);
        };
        const onRetry = (ms: number) => (pauseMs = ms);
        for await (const { id, event, data } of readEventStream(body, { onRetry, onPosition })) {
          last = id;
          told ||= event !== 'reset';
          const message: unknown = { id, event, data: JSON.parse(data) };
          yield message as LiveMessage<M>;
        }
      } catch (error) {
        // This loop handles only broken connections.
        if (signal?.aborted || !requester.isRead || requester.isOnce || error instanceof SyntaxError) throw error;
      }
    }
    if (!requester.isRead || requester.isOnce) return;
    // A connection with events most likely reached the end of the stream, which the next answer confirms.
    failures = told ? 0 : failures + 1;
    if (failures > 0) await pause(Math.min(pauseMs * 2 ** (failures - 1), LONGEST_RETRY_MS), signal);
  }
}

/**
 * Opens a connection. Returns `away` for a failure that may be temporary. The failure of the first connection is thrown
 * to the caller.
 */
async function open(requester: Requester, last: string, signal: AbortSignal | undefined, again: boolean) {
  try {
    return await requester.open(last, signal);
  } catch (error) {
    const mayPass = !(error instanceof DavitError) || error.retryable;
    if (signal?.aborted || !again || !mayPass) throw error;
    return 'away';
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  // The CLI supports Node 20, which has no `Promise.withResolvers`.
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}
