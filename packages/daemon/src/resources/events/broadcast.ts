/**
 * Sends each event to all clients of the event stream. Each event is converted to JSON only once. The clients do not
 * read SQLite, because many clients would read the same row many times.
 */
import type { Store } from '../../db/store.ts';
import { BoundedQueue, FollowerTooSlow } from '../../streams/bounded-queue.ts';
import type { LiveEvent } from '../../streams/live-event.ts';
import { presentEvent } from './present.ts';
import type { PublishedEvent } from './published-event.ts';

/** Maximum number of events in the queue of one client of the event stream. */
const MOST_WAITING = 1_000;

export class Live implements Disposable {
  readonly #followers = new Set<EventFollower>();
  readonly #stop: () => void;

  constructor(store: Pick<Store, 'onEvent'>) {
    this.#stop = store.onEvent((event) => {
      if (this.#followers.size > 0) this.tell(presentEvent(event));
    });
  }

  /** Publishes an event that is not stored in SQLite, such as a measurement. The event has no id. */
  tell(published: PublishedEvent): void {
    for (const follower of this.#followers) follower.take(published);
  }

  /**
   * Returns whether a client receives events of this kind. If no client receives such events, Davit does not create
   * them.
   */
  wants(kind: PublishedEvent['kind']): boolean {
    for (const { kinds } of this.#followers) if (kinds.has(kind)) return true;
    return false;
  }

  /** Returns a queue that receives all events that are published after this call, until the signal aborts. */
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

export class EventFollower {
  readonly kinds: ReadonlySet<PublishedEvent['kind']>;
  readonly #matches: (told: PublishedEvent) => boolean;
  readonly #waiting = new BoundedQueue<LiveEvent>({ limit: MOST_WAITING });

  constructor(kinds: ReadonlySet<PublishedEvent['kind']>, matches: (told: PublishedEvent) => boolean) {
    this.kinds = kinds;
    this.#matches = matches;
  }

  take(published: PublishedEvent): void {
    if (!this.kinds.has(published.kind) || !this.#matches(published)) return;
    if (this.#waiting.isFull)
      this.#waiting.fail(new FollowerTooSlow('The client reads events too slowly, so the event stream ends.'));
    else void this.#waiting.push(published.event);
  }

  end(): void {
    this.#waiting.close();
  }

  /**
   * Waits for at least one event and returns all queued events. At the end of the event stream, returns `null`.
   * @throws FollowerTooSlow if the queue was full
   */
  async next(): Promise<LiveEvent[] | null> {
    return (await this.#waiting.nextAll()) ?? null;
  }
}
