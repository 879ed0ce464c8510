/**
 * What happens, told to everybody who follows it. Each committed event is read and presented once, whoever listens; a
 * follower has a queue of its own with a bound, and is told off when it is full. Reading the table for each follower at
 * each event was rejected: two hundred open dashboards would read every row two hundred times.
 */
import type { EventKind } from '@davit/api';
import { FollowerTooSlow } from '../logs/logs.ts';
import type { Store } from '../store/store.ts';
import { presentEvent } from './present-event.ts';

/** One event of a live answer. `id` is what a reader names to go on after it; an event without one cannot be resumed at. */
export interface LiveEvent {
  id?: number | string | undefined;
  /** Null: nothing happened, and the reader is told where it stands by the `id` alone. */
  event: string | null;
  /** Sent as JSON. */
  data: unknown;
  /** The same, where it was made once for many readers. */
  json?: string;
}

/** An event as it is told, with what decides who is told. */
export interface Told {
  kind: EventKind;
  /** Null: of no project. */
  projectId: number | null;
  appId: number | null;
  deploymentId: number | null;
  event: LiveEvent;
}

/** How many events may wait for one follower. */
const MOST_WAITING = 1_000;

export class Live implements Disposable {
  readonly #followers = new Set<Following>();
  readonly #stop: () => void;

  constructor(store: Pick<Store, 'onEvent'>) {
    this.#stop = store.onEvent((event) => {
      if (this.#followers.size > 0) this.tell(presentEvent(event));
    });
  }

  /** Tells something that is on no record, such as a measurement; it has no number. */
  tell(told: Told): void {
    for (const follower of this.#followers) follower.take(told);
  }

  /** Whether anybody wants what nobody would otherwise have to make. */
  wants(kind: Told['kind']): boolean {
    for (const { kinds } of this.#followers) if (kinds.has(kind)) return true;
    return false;
  }

  /** Follows what is told from this moment on, until the signal aborts. */
  follow(kinds: ReadonlySet<Told['kind']>, matches: (told: Told) => boolean, signal: AbortSignal): Following {
    const following = new Following(kinds, matches);
    if (signal.aborted) following.end();
    else this.#followers.add(following);
    const leave = () => {
      this.#followers.delete(following);
      following.end();
    };
    signal.addEventListener('abort', leave, { once: true });
    return following;
  }

  [Symbol.dispose](): void {
    this.#stop();
  }
}

/** What one follower has not been told yet. */
export class Following {
  readonly kinds: ReadonlySet<Told['kind']>;
  readonly #matches: (told: Told) => boolean;
  #waiting: LiveEvent[] = [];
  #overrun = false;
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(kinds: ReadonlySet<Told['kind']>, matches: (told: Told) => boolean) {
    this.kinds = kinds;
    this.#matches = matches;
  }

  take(told: Told): void {
    if (this.#overrun || !this.kinds.has(told.kind) || !this.#matches(told)) return;
    if (this.#waiting.length >= MOST_WAITING) this.#overrun = true;
    else this.#waiting.push(told.event);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /**
   * What was told since the last call, waiting for it; null at the end.
   * @throws FollowerTooSlow when more was told than is held
   */
  async next(): Promise<LiveEvent[] | null> {
    if (this.#waiting.length === 0 && !this.#overrun && !this.#ended) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    if (this.#ended) return null;
    if (this.#overrun) throw new FollowerTooSlow('more happened than is held for a follower');
    const events = this.#waiting;
    this.#waiting = [];
    return events;
  }
}
