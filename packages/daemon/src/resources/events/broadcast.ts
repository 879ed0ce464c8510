/**
 * What happens, told to everybody who follows it. Each committed event is read and presented once, whoever listens; a
 * follower has a queue of its own with a bound, and is told off when it is full. Reading the table for each follower at
 * each event was rejected: two hundred open dashboards would read every row two hundred times.
 */
import type { Store } from '../../db/store.ts';
import { BoundedQueue, FollowerTooSlow } from '../../streams/bounded-queue.ts';
import type { LiveEvent } from '../../streams/live-event.ts';
import { presentEvent } from './present.ts';
import type { PublishedEvent } from './published-event.ts';

/** How many events may wait for one follower. */
const MOST_WAITING = 1_000;

export class Live implements Disposable {
  readonly #followers = new Set<EventFollower>();
  readonly #stop: () => void;

  constructor(store: Pick<Store, 'onEvent'>) {
    this.#stop = store.onEvent((event) => {
      if (this.#followers.size > 0) this.tell(presentEvent(event));
    });
  }

  /** Tells something that is on no record, such as a measurement; it has no number. */
  tell(told: PublishedEvent): void {
    for (const follower of this.#followers) follower.take(told);
  }

  /** Whether anybody wants what nobody would otherwise have to make. */
  wants(kind: PublishedEvent['kind']): boolean {
    for (const { kinds } of this.#followers) if (kinds.has(kind)) return true;
    return false;
  }

  /** Follows what is told from this moment on, until the signal aborts. */
  follow(
    kinds: ReadonlySet<PublishedEvent['kind']>,
    matches: (told: PublishedEvent) => boolean,
    signal: AbortSignal,
  ): EventFollower {
    const following = new EventFollower(kinds, matches);
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
export class EventFollower {
  readonly kinds: ReadonlySet<PublishedEvent['kind']>;
  readonly #matches: (told: PublishedEvent) => boolean;
  readonly #waiting = new BoundedQueue<LiveEvent>({ limit: MOST_WAITING });

  constructor(kinds: ReadonlySet<PublishedEvent['kind']>, matches: (told: PublishedEvent) => boolean) {
    this.kinds = kinds;
    this.#matches = matches;
  }

  take(told: PublishedEvent): void {
    if (!this.kinds.has(told.kind) || !this.#matches(told)) return;
    if (this.#waiting.isFull) this.#waiting.fail(new FollowerTooSlow('more happened than is held for a follower'));
    else void this.#waiting.push(told.event);
  }

  end(): void {
    this.#waiting.close();
  }

  /**
   * What was told since the last call, waiting for it; null at the end.
   * @throws FollowerTooSlow when more was told than is held
   */
  async next(): Promise<LiveEvent[] | null> {
    return (await this.#waiting.nextAll()) ?? null;
  }
}
