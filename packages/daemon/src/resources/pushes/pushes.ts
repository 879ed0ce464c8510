/**
 * Pushes to this instance: reported by notifications of the registry or found by searches, and handled one after
 * another.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@davit/service';
import { RegistryUnavailable } from '../../adapters/registry/registry.ts';
import { currentApp } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import { waitingPushes } from '../../db/tables/push.ts';
import { pusherOf } from '../registry/pusher.ts';
import { registryAppBy } from '../registry/rights.ts';
import type { PushesDeps } from './deps.ts';
import { PushLook } from './poll.ts';
import { takePush } from './push.ts';
import { type HeardPush, PushQueue, type ToldPush } from './queue.ts';

/** Pauses in milliseconds between requests for a tag that does not have the reported digest yet. */
const TAGGED_MS = [5, 20, 50, 100, 200];
/**
 * Maximum time in milliseconds after a notification in which the tag can be late. A push that waited longer in the
 * queue does not wait again.
 */
const SETTLES_MS = 375;

export interface PushesOptions {
  log: Logger;
  /** Triggers a search of all tags soon. */
  nudge: () => void;
}

export class Pushes implements AsyncDisposable {
  readonly #core: PushesDeps;
  readonly #options: PushesOptions;
  readonly #queue = new PushQueue();
  readonly #look: PushLook;
  readonly #stopping = new AbortController();
  /**
   * End of the last operation. Operations run one after another, so that no comparison uses data that another operation
   * is about to change.
   */
  #last: Promise<void> = Promise.resolve();
  #isWorking = false;
  #hasBegun = false;

  constructor(core: PushesDeps, options: PushesOptions) {
    this.#core = core;
    this.#options = options;
    this.#look = new PushLook(core, options.log, (...image) => this.#queue.recall(...image));
  }

  /**
   * Receives a notification of the registry. Returns before it is handled.
   * @param text body of the request
   */
  told(text: string): void {
    this.#queue.offer(text);
    this.#work();
  }

  /** Triggers a search of all tags after a notification that could not be read. */
  missed(): void {
    this.#queue.overflow();
    this.#work();
  }

  /** Starts the work after the pushes of the last process are loaded. */
  begin(): void {
    this.#hasBegun = true;
    this.#work();
  }

  /** Compares all tags with the recorded pushes. */
  look(): Promise<void> {
    return this.#serially(() => this.#look.run(this.#stopping.signal));
  }

  /** Makes the next search compare all tags, because the registry may have lost notifications. */
  distrust(): void {
    this.#look.distrust();
    this.#options.nudge();
  }

  /** Resolves when no push is waiting. */
  async settled(): Promise<void> {
    for (let last = this.#last; ; last = this.#last) {
      await last;
      if (last === this.#last && !this.#isWorking) return;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error('the daemon is stopping'));
    await this.settled();
  }

  #work(): void {
    if (this.#isWorking || !this.#hasBegun || this.#stopping.signal.aborted) return;
    this.#isWorking = true;
    // The work does not belong to the request with the notification, which has already ended.
    this.#core.store.trail.apart(() => {
      void this.#serially(() => this.#drain());
    });
  }

  async #drain(): Promise<void> {
    for (let heard = this.#queue.take(); heard !== undefined; heard = this.#queue.take()) {
      if (this.#stopping.signal.aborted) break;
      await this.#take(heard);
    }
    this.#isWorking = false;
    if (this.#queue.takeOverflow()) this.distrust();
  }

  async #take(heard: HeardPush): Promise<void> {
    const { repository, tag, digest: expected, at } = heard.push;
    const { store } = this.#core;
    const { log } = this.#options;
    try {
      const app = registryAppBy(store, repository);
      // The current digest of the tag counts, because notifications can be late or out of order.
      const digest = app && (await this.#named(heard));
      const isToldOf = expected === null || digest === expected;
      // The tag has the digest of a later push. The notification of that push follows and names its user.
      if (!isToldOf && this.#queue.isOvertaken(heard.push)) return;
      if (app && !isToldOf) this.#awaitTag(heard.push);
      const told = pusherOf(store, heard.push.by);
      const by = isToldOf || told === 'forgotten' ? told : null;
      if (app && digest) await takePush(this.#core, { app: currentApp(store, app.id), tag, digest, by, at }, log);
    } catch (error) {
      if (!(error instanceof RegistryUnavailable)) log.warn({ repository, tag, error }, 'push could not be recorded');
      this.#queue.putAside(heard.push);
      this.#queue.overflow();
    }
  }

  /** Keeps a push for a search. A busy registry can take longer to move the tag than this process waits. */
  #awaitTag(push: ToldPush): void {
    this.#queue.putAside(push);
    this.#options.nudge();
  }

  /** Returns the digest of a tag. A notification arrives some milliseconds before the registry moves the tag. */
  async #named({ push: { repository, tag, digest: told }, heardAt }: HeardPush): Promise<string | null> {
    for (const pause of TAGGED_MS) {
      const digest = await this.#core.registry.digestOf(repository, tag);
      if (digest === told || told === null || performance.now() - heardAt > SETTLES_MS) return digest;
      await delay(pause);
    }
    return this.#core.registry.digestOf(repository, tag);
  }

  async #serially(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** Returns warnings about pushes. */
export function pushWarnings(db: Reader, projects: readonly number[] | null): string[] {
  const waiting = waitingPushes(db, projects);
  const [first] = waiting;
  if (first === undefined) return [];
  const others = waiting.length === 1 ? '' : ` Other pushes that wait: ${waiting.length - 1}.`;
  return [
    `The push of ${first.app}:${first.tag} waits to be deployed: ${first.reason ?? 'Davit tries again.'}${others}`,
  ];
}
