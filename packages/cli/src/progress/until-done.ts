import type { Client } from '@davit/api';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { patiently, pause } from './patiently.ts';

/**
 * Maximum time in milliseconds between two API requests for the state of a resource. The requests are necessary because
 * the event stream can fail.
 */
const LOOK_MS = 1_000;

interface Waiting<T> {
  /** Query parameters of the event stream. The resource is requested again after each event. */
  events: { kinds: string; app?: string };
  /** Requests the current state of the resource. `signal` is aborted when the user presses Ctrl-C. */
  read: (signal: AbortSignal) => Promise<T>;
  isDone: (found: T) => boolean;
  /** Message after Ctrl-C. It says that the operation continues on the instance. */
  left: string;
}

/**
 * Waits until an operation ends that is neither a deployment nor a task, such as stopping an app. Returns the resource
 * in its final state.
 * @throws CliError with exit `interrupted` after Ctrl-C
 * @throws DavitError if the resource cannot be read
 */
export async function untilDone<T>(
  { client: connect, signal }: Pick<Context, 'client' | 'signal'>,
  { events, read, isDone, left }: Waiting<T>,
  lookMs = LOOK_MS,
): Promise<T> {
  const client = await connect();
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  let wake: () => void = () => undefined;
  void listen(client, { events, signal: either, onEvent: () => wake() });
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const found = await patiently(() => read(signal), signal);
      if (isDone(found)) return found;
      await Promise.race([changed, pause(lookMs, either)]);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CliError('interrupted', left);
  } finally {
    stop.abort();
  }
}

interface Listening {
  events: Waiting<unknown>['events'];
  signal: AbortSignal;
  onEvent: () => void;
}

async function listen(client: Client, { events, signal, onEvent }: Listening): Promise<void> {
  try {
    for await (const _ of client.live.followEvents({ query: events, signal })) onEvent();
  } catch {
    // Errors of the event stream are ignored, because `untilDone` also requests the resource every second.
  }
}
