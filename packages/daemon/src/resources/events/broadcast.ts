/**
 * Distribution of events to followers. Each committed event is read and formatted once for all followers. Each follower
 * has a queue with a limit, and its stream ends when the queue is full. Reading the table for each follower and event
 * was rejected: 200 open dashboards would read every row 200 times.
 */
import type { Store } from '../../db/store.ts';
import { BoundedQueue, FollowerTooSlow } from '../../streams/bounded-queue.ts';
import type { LiveEvent } from '../../streams/live-event.ts';
import { presentEvent } from './present.ts';
import type { PublishedEvent } from './published-event.ts';

/** Maximum number of events that wait for one follower. */
const MOST_WAITING = 1_000;

export class Live implements Disposable {
  readonly #followers = new Set<EventFollower>();
  readonly #stop: () => void;

  constructor(store: Pick<Store, 'onEvent'>) {
    this.#stop = store.onEvent((event) => {
      if (this.#followers.size > 0) this.tell(presentEvent(event));
    });
  }

  /** Publishes an event without a record, such as a measurement. The event has no number. */
  tell(told: PublishedEvent): void {
    for (const follower of this.#followers) follower.take(told);
  }

  /** Returns whether a follower wants a kind of event, so that unwanted events are not created. */
  wants(kind: PublishedEvent['kind']): boolean {
    for (const { kinds } of this.#followers) if (kinds.has(kind)) return true;
    return false;
  }

  /** Returns the events that are published from now on, until the signal aborts. */
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

/** Queue of events for one follower. */
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
    if (this.#waiting.isFull)
      this.#waiting.fail(new FollowerTooSlow('The client reads events more slowly than they occur.'));
    else void this.#waiting.push(told.event);
  }

  end(): void {
    this.#waiting.close();
  }

  /**
   * Returns the events since the last call, and waits for at least one. Returns `null` at the end.
   * @throws FollowerTooSlow if more events were published than the queue holds
   */
  async next(): Promise<LiveEvent[] | null> {
    return (await this.#waiting.nextAll()) ?? null;
  }
}
