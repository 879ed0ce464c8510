import { DavitError } from '@davit/api';
import { createStore } from './util/store.ts';

/** Whether the instance answers: `away` from the first request that reached nobody until one that does. */
export type Reach = 'here' | 'away';

export const reach = createStore<Reach>('here');

const AWAY = 'The instance cannot be reached: nothing was answered. Try again when it is back.';

/** `fetch` that says in words when nobody was reached; the cancelling of a request stays what it is. */
export async function reachingFetch(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    reach.set('here');
    return response;
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    reach.set('away');
    throw new DavitError('unavailable', AWAY, { cause });
  }
}
