import { DavitError } from '@davit/api';
import { createStore } from './util/store.ts';

/** Whether the instance answers: `away` once nobody was reached for longer than a network takes to change. */
export type Reach = 'here' | 'away';

export const reach = createStore<Reach>('here');

const BLINK_MS = 1_000;
const PAUSES_MS = [100, 400, 800];

const AWAY = 'The instance cannot be reached: nothing was answered. Try again when it is back.';

/** Nobody was reached, or the connection broke before the answer: whether it was carried out is not known. */
class Unreached extends DavitError {
  constructor(cause: unknown) {
    super('unavailable', AWAY, { cause });
  }
}

let leaving: ReturnType<typeof setTimeout> | undefined;

/** `fetch` that says in words when nobody was reached; the cancelling of a request stays what it is. */
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

/** Sends what is carried out once however often it is sent, again for a while when nobody was reached. */
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
