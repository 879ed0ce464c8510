/**
 * Queue of registry notifications. Each tag is in the queue once, and if there are too many, only that fact is
 * recorded. No push is lost, because the registry is asked for the digest of each tag.
 */
/** Push in a notification. */
export interface ToldPush {
  /** Repository name. For an app, this is its reference `project/environment/app`. */
  repository: string;
  tag: string;
  /** Digest of the pushed image, or `null` if unknown. */
  digest: string | null;
  /** Subject of the token, or `null` if unknown. */
  by: string | null;
  /** Time in milliseconds since the epoch, or 0 if unknown. */
  at: number;
}

/** Push in the queue. */
export interface HeardPush {
  push: ToldPush;
  /** Time of the notification, on the monotonic clock of the process, in milliseconds. */
  heardAt: number;
}

/** Maximum number of tags in the queue. If there are more, a search compares all tags. */
const MOST_WAITING = 1_000;
/**
 * Maximum number of pushes for a search. If there are more, the oldest are found without the subject of their token.
 */
const MOST_EARLY = 1_000;
const LONGEST_NAME = 128;

const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const REPOSITORY = /^[a-z0-9-]{1,40}\/[a-z0-9-]{1,40}\/[a-z0-9-]{1,40}$/;

export class PushQueue {
  readonly #waiting = new Map<string, HeardPush>();
  readonly #early = new Map<string, string>();
  #overflown = false;

  /**
   * Adds the pushes of a notification. Other text is ignored.
   * @param text body of the request
   */
  offer(text: string): void {
    for (const push of pushesIn(text)) this.add(push);
  }

  add(push: ToldPush): void {
    const key = tagKey(push);
    if (this.#waiting.size >= MOST_WAITING && !this.#waiting.has(key)) {
      this.#overflown = true;
      this.putAside(push);
    } else this.#waiting.set(key, { push: newer(this.#waiting.get(key)?.push, push), heardAt: performance.now() });
  }

  /** Returns whether another notification for the tag arrived after the push was taken from the queue. */
  isOvertaken(push: ToldPush): boolean {
    return this.#waiting.has(tagKey(push));
  }

  /** Keeps the subject of a push until a search finds its tag. */
  putAside({ repository, tag, digest, by }: ToldPush): void {
    if (digest === null || by === null) return;
    const [oldest] = this.#early.keys();
    if (this.#early.size >= MOST_EARLY && oldest !== undefined) this.#early.delete(oldest);
    this.#early.set(imageKey(repository, tag, digest), by);
  }

  /** Returns and forgets the subject of a push that was put aside, or returns `null`. */
  recall(repository: string, tag: string, digest: string): string | null {
    const key = imageKey(repository, tag, digest);
    const by = this.#early.get(key) ?? null;
    this.#early.delete(key);
    return by;
  }

  /** Records that a notification could not be read. */
  overflow(): void {
    this.#overflown = true;
  }

  get size(): number {
    return this.#waiting.size;
  }

  take(): HeardPush | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    this.#waiting.delete(first[0]);
    return first[1];
  }

  /** Returns whether notifications were left out since the last call. */
  takeOverflow(): boolean {
    const was = this.#overflown;
    this.#overflown = false;
    return was;
  }
}

/** Returns the pushes of tags in a notification of the registry. */
export function pushesIn(text: string): ToldPush[] {
  let envelope: unknown;
  try {
    envelope = JSON.parse(text);
  } catch {
    // Any holder of the secret can send arbitrary text, which contains no push.
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

function pushIn(event: Event | null): ToldPush | null {
  const { action, timestamp, target, actor } = event ?? {};
  const { repository, tag } = target ?? {};
  if (action !== 'push' || typeof repository !== 'string' || typeof tag !== 'string') return null;
  if (!REPOSITORY.test(repository) || !TAG.test(tag)) return null;
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  const by = typeof actor?.name === 'string' && actor.name !== '' ? actor.name.slice(0, LONGEST_NAME) : null;
  const digest = typeof target?.digest === 'string' ? target.digest : null;
  return { repository, tag, digest, by, at: Number.isNaN(at) ? 0 : at };
}

function tagKey({ repository, tag }: ToldPush): string {
  return `${repository}:${tag}`;
}

function imageKey(repository: string, tag: string, digest: string): string {
  return `${repository}:${tag}@${digest}`;
}

function newer(known: ToldPush | undefined, told: ToldPush): ToldPush {
  return known !== undefined && known.at > told.at ? known : told;
}
