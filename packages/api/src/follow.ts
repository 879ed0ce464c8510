import { DavitError } from './errors.ts';
import { readEventStream } from './event-stream.ts';

/** A message of a live answer. `id` is the position with which the stream is resumed; empty until an event had one. */
export type LiveMessage<M> = M & { id: string };

/** Opens the connections of one stream. */
export interface Requester {
  /** Only what is read may be asked for again. */
  isRead: boolean;
  /** It is not asked again even so. */
  isOnce?: boolean;
  /** Told when a connection that was there cannot be made again at once. */
  onAway?(): void;
  /** Told where the stream stands when it begins or is told so without an event. */
  onPosition?(id: string): void;
  /**
   * @param lastEventId empty: from where the question itself says
   * @returns null when there is no more
   * @throws DavitError when it is refused
   */
  open(lastEventId: string, signal: AbortSignal | undefined): Promise<ReadableStream<Uint8Array> | null>;
}

const RETRY_MS = 2_000;
/** An instance that restarts is back within this; what takes longer is asked for less often. */
const LONGEST_RETRY_MS = 30_000;

/** Reads a stream to its end, over as many connections as it takes. @typeParam M the messages that the operation declares */
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
        // A connection that breaks is what this loop is for; anything else is not.
        if (signal?.aborted || !requester.isRead || requester.isOnce || error instanceof SyntaxError) throw error;
      }
    }
    if (!requester.isRead || requester.isOnce) return;
    // What told something has most likely come to its end: the next answer says so.
    failures = told ? 0 : failures + 1;
    if (failures > 0) await pause(Math.min(pauseMs * 2 ** (failures - 1), LONGEST_RETRY_MS), signal);
  }
}

/** `away`: not now, and perhaps in a moment. The first connection's failure is the caller's to see. */
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
  // Node 20, which the command line runs on, has no Promise.withResolvers.
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
