import { DavitError } from '@davit/api';
import { createStore } from './util/store.ts';

/**
 * Whether the server responds to requests. `away` means that requests have failed for more than one second. A short
 * network change therefore does not change the state.
 */
export type Reach = 'here' | 'away';

export const reach = createStore<Reach>('here');

const BLINK_MS = 1_000;
const PAUSES_MS = [100, 400, 800];

const AWAY = 'Cannot connect to the instance. Try again when the instance responds.';

/** Error of a request to which the server did not respond. The server may still have executed the request. */
class Unreached extends DavitError {
  constructor(cause: unknown) {
    super('unavailable', AWAY, { cause });
  }
}

let leaving: ReturnType<typeof setTimeout> | undefined;

/**
 * Calls `fetch`. If the server is unreachable, the error has a message for users. If the request was aborted, the abort
 * reason is thrown.
 */
export async function reachingFetch(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    clearTimeout(leaving);
    leaving = undefined;
    reach.set('here');
    return response;
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    leaving ??= setTimeout(() => {
      leaving = undefined;
      reach.set('away');
    }, BLINK_MS);
    throw new Unreached(cause);
  }
}

/**
 * Repeats a request for about a second while the server is unreachable. Use this function only for idempotent requests,
 * because the server may receive a request twice.
 */
export async function untilReached<T>(send: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof Unreached)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return send();
}
