/**
 * What the registry tells of pushes, on its way to being looked at: every tag is there once, however often it is told
 * of, and of a flood only that there was one. Nothing is lost by that: it is the registry that is asked what a tag names.
 */
/** That a tag was pushed, as it was told. */
export interface ToldPush {
  /** `project/environment/app`, if it is an app's. */
  repository: string;
  tag: string;
  /** What the tag was to name; null where nobody told. */
  digest: string | null;
  /** The subject of the token; null where nobody told. */
  by: string | null;
  /** Milliseconds since the epoch; 0 where nobody told. */
  at: number;
}

/** One on its way. */
export interface HeardPush {
  push: ToldPush;
  /** When it was told of, in milliseconds of the process's own clock. */
  heardAt: number;
}

/** Tags that wait at the same time; beyond that all of them are looked at instead. */
const MOST_WAITING = 1_000;
/** Pushes to be found by looking; beyond that the oldest are forgotten, and found without the subject of their token. */
const MOST_EARLY = 1_000;
const LONGEST_NAME = 128;

const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const REPOSITORY = /^[a-z0-9-]{1,40}\/[a-z0-9-]{1,40}\/[a-z0-9-]{1,40}$/;

export class PushQueue {
  readonly #waiting = new Map<string, HeardPush>();
  readonly #early = new Map<string, string>();
  #overflown = false;

  /** Takes what an envelope tells; anything else is passed over. @param text as it was received */
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

  /** Whether its tag was told of again since it was taken. */
  isOvertaken(push: ToldPush): boolean {
    return this.#waiting.has(tagKey(push));
  }

  /** For one that is found by looking at its tag later: who pushed it is kept until then. */
  putAside({ repository, tag, digest, by }: ToldPush): void {
    if (digest === null || by === null) return;
    const [oldest] = this.#early.keys();
    if (this.#early.size >= MOST_EARLY && oldest !== undefined) this.#early.delete(oldest);
    this.#early.set(imageKey(repository, tag, digest), by);
  }

  /** The subject of the token of what was put aside, once; null where nobody told. */
  recall(repository: string, tag: string, digest: string): string | null {
    const key = imageKey(repository, tag, digest);
    const by = this.#early.get(key) ?? null;
    this.#early.delete(key);
    return by;
  }

  /** For what was told and not read. */
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

  /** Whether something was left out since the last time that this was asked. */
  takeOverflow(): boolean {
    const was = this.#overflown;
    this.#overflown = false;
    return was;
  }
}

/** The pushes of tags that an envelope of the registry's notifications tells of. */
export function pushesIn(text: string): ToldPush[] {
  let envelope: unknown;
  try {
    envelope = JSON.parse(text);
  } catch {
    // Whoever has the secret may send what he likes; it tells of no push.
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
