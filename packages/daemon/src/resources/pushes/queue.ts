/**
 * Queue of reported pushes with at most one push per tag. If the queue is full, a check of all tags finds further
 * pushes later.
 */
/** Pushed image tag that a registry notification reports. */
export interface ReportedPush {
  /** Name of the registry repository. For an app, it is `project/environment/app`. */
  repository: string;
  tag: string;
  /** Digest of the pushed image, or `null` if the notification has none. */
  digest: string | null;
  /** Subject of the registry token with which the image was pushed, or `null` if unknown. */
  by: string | null;
  /** Time of the push in milliseconds since the epoch, or 0 if unknown. */
  at: number;
}

export interface ReceivedPush {
  push: ReportedPush;
  /** Time in milliseconds at which the notification arrived, on the monotonic clock of the process. */
  heardAt: number;
}

/**
 * Maximum number of pushed tags in the queue. If more tags are pushed, Davit finds them with a check of all tags in the
 * registry.
 */
const MOST_WAITING = 1_000;
/**
 * Maximum number of users in memory for pushes that Davit has not found in the registry yet. At the maximum, Davit
 * removes the oldest user from memory.
 */
const MOST_EARLY = 1_000;
const LONGEST_NAME = 128;

const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const REPOSITORY = /^[a-z0-9-]{1,40}\/[a-z0-9-]{1,40}\/[a-z0-9-]{1,40}$/;

export class PushQueue {
  readonly #waiting = new Map<string, ReceivedPush>();
  readonly #early = new Map<string, string>();
  #overflown = false;

  /**
   * Adds the pushes in a registry notification to the queue. Ignores text that is not a notification.
   * @param text body of the request
   */
  offer(text: string): void {
    for (const push of pushesIn(text)) this.add(push);
  }

  add(push: ReportedPush): void {
    const key = tagKey(push);
    if (this.#waiting.size >= MOST_WAITING && !this.#waiting.has(key)) {
      this.#overflown = true;
      this.putAside(push);
    } else this.#waiting.set(key, { push: newer(this.#waiting.get(key)?.push, push), heardAt: performance.now() });
  }

  /** Returns whether the queue contains a later push to the same repository and tag. */
  isOvertaken(push: ReportedPush): boolean {
    return this.#waiting.has(tagKey(push));
  }

  /**
   * Keeps the user of a push in memory, because the registry does not store users. The user is the subject of the
   * registry token.
   */
  putAside({ repository, tag, digest, by }: ReportedPush): void {
    if (digest === null || by === null) return;
    const [oldest] = this.#early.keys();
    if (this.#early.size >= MOST_EARLY && oldest !== undefined) this.#early.delete(oldest);
    this.#early.set(imageKey(repository, tag, digest), by);
  }

  /**
   * Returns the user who pushed an image and removes the user from memory. Returns `null` if the user is unknown. The
   * user is the subject (`sub`) of the registry token.
   */
  recall(repository: string, tag: string, digest: string): string | null {
    const key = imageKey(repository, tag, digest);
    const by = this.#early.get(key) ?? null;
    this.#early.delete(key);
    return by;
  }

  /** Requests a check of all tags in the registry, because a notification about a push could not be read. */
  overflow(): void {
    this.#overflown = true;
  }

  get size(): number {
    return this.#waiting.size;
  }

  take(): ReceivedPush | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    this.#waiting.delete(first[0]);
    return first[1];
  }

  /** Returns whether notifications of the registry were lost since the last call. */
  takeOverflow(): boolean {
    const was = this.#overflown;
    this.#overflown = false;
    return was;
  }
}

/** Returns the pushed tags in a registry notification. */
export function pushesIn(text: string): ReportedPush[] {
  let envelope: unknown;
  try {
    envelope = JSON.parse(text);
  } catch {
    // Ignore a body that is not JSON. The sender may be another program that has the webhook secret.
    return [];
  }
  const { events } = (envelope ?? {}) as { events?: unknown };
  return Array.isArray(events) ? events.map(pushIn).filter((push) => push !== null) : [];
}

interface Event {
  action?: unknown;
  timestamp?: unknown;
  target?: { repository?: unknown; tag?: unknown; digest?: unknown } | null;
  actor?: { name?: unknown } | null;
}

function pushIn(event: Event | null): ReportedPush | null {
  const { action, timestamp, target, actor } = event ?? {};
  const { repository, tag } = target ?? {};
  if (action !== 'push' || typeof repository !== 'string' || typeof tag !== 'string') return null;
  if (!REPOSITORY.test(repository) || !TAG.test(tag)) return null;
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  const by = typeof actor?.name === 'string' && actor.name !== '' ? actor.name.slice(0, LONGEST_NAME) : null;
  const digest = typeof target?.digest === 'string' ? target.digest : null;
  return { repository, tag, digest, by, at: Number.isNaN(at) ? 0 : at };
}

function tagKey({ repository, tag }: ReportedPush): string {
  return `${repository}:${tag}`;
}

function imageKey(repository: string, tag: string, digest: string): string {
  return `${repository}:${tag}@${digest}`;
}

function newer(known: ReportedPush | undefined, reported: ReportedPush): ReportedPush {
  return known !== undefined && known.at > reported.at ? known : reported;
}
