import { DavitError } from './errors.ts';
import { readEventStream } from './event-stream.ts';

/**
 * Message of an event stream. `id` is the position from which a client can continue the event stream. `id` is empty if
 * no event has had an ID yet.
 */
export type LiveMessage<M> = M & { id: string };

/** Object that sends the HTTP requests for an event stream. */
export interface Requester {
  /** Whether the request is a GET request. Only GET requests are repeated after a lost connection. */
  isRead: boolean;
  /** If `true`, the request is never repeated after a lost connection. */
  isOnce?: boolean;
  /** Called if the first reconnect after a lost connection fails. Further failed reconnects cause no further call. */
  onAway?(): void;
  /** Called if the server sends an ID without an event. The ID is the new position in the event stream. */
  onPosition?(id: string): void;
  /**
   * Opens a connection to the event stream. Returns `null` if the event stream has ended.
   * @param lastEventId empty string for the first connection
   * @throws DavitError
   */
  open(lastEventId: string, signal: AbortSignal | undefined): Promise<ReadableStream<Uint8Array> | null>;
}

const RETRY_MS = 2_000;
/** Maximum pause between two connection attempts, in milliseconds. The pause doubles after each failed attempt. */
const LONGEST_RETRY_MS = 30_000;

/**
 * Reads an event stream to its end and reconnects after lost connections.
 * @typeParam M messages of the API operation
 */
export async function* follow<M>(requester: Requester, signal?: AbortSignal): AsyncGenerator<LiveMessage<M>> {
  let last = '';
  let pauseMs = RETRY_MS;
  let isAway = false;
  for (let failures = 0; ; ) {
    const body = await open(requester, last, signal, failures > 0 || last !== '');
    if (body === null) return;
    let hasReceivedEvent = false;
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
          hasReceivedEvent ||= event !== 'reset';
          const message: unknown = { id, event, data: JSON.parse(data) };
          yield message as LiveMessage<M>;
        }
      } catch (error) {
        // A reconnect is possible only after a lost connection, and only if the request may be repeated.
        if (signal?.aborted || !requester.isRead || requester.isOnce || error instanceof SyntaxError) throw error;
      }
    }
    if (!requester.isRead || requester.isOnce) return;
    // If the lost connection delivered events, the client reconnects without a pause.
    failures = hasReceivedEvent ? 0 : failures + 1;
    if (failures > 0) await pause(Math.min(pauseMs * 2 ** (failures - 1), LONGEST_RETRY_MS), signal);
  }
}

/**
 * Opens a connection to the event stream. Returns `away` if a reconnect fails because of a temporary error. The caller
 * then tries again.
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
  // `Promise.withResolvers` is not used, because the CLI supports Node 20, which lacks this function.
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
