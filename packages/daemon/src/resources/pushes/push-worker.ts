/**
 * Handles pushes to the registry one after another. A notification of the registry or a regular check of all tags
 * reports each push.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@davit/service';
import { RegistryUnavailable } from '../../adapters/registry/registry.ts';
import { currentApp } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import { waitingPushes } from '../../db/tables/push.ts';
import { pusherOf } from '../registry/pusher.ts';
import { registryAppBy } from '../registry/rights.ts';
import { takePush } from './decide-push.ts';
import type { PushesDeps } from './deps.ts';
import { PushLook } from './poll.ts';
import { PushQueue, type ReceivedPush, type ReportedPush } from './queue.ts';

/**
 * Delays in milliseconds between two reads of a tag's digest. The registry sends its notification shortly before it
 * changes the tag.
 */
const TAGGED_MS = [5, 20, 50, 100, 200];
/** Maximum time in milliseconds between a push notification and the change of the tag in the registry. */
const SETTLES_MS = 375;

export interface PushesOptions {
  log: Logger;
  /** Starts a check of all tags in the registry. */
  nudge: () => void;
}

export class Pushes implements AsyncDisposable {
  readonly #core: PushesDeps;
  readonly #options: PushesOptions;
  readonly #queue = new PushQueue();
  readonly #look: PushLook;
  readonly #stopping = new AbortController();
  /**
   * Promise of the last operation. Operations run one after another, because no operation may read data that another
   * operation is changing.
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
   * Adds the pushes in a registry notification to the queue. Returns before the pushes are handled.
   * @param text body of the notification request
   */
  told(text: string): void {
    this.#queue.offer(text);
    this.#work();
  }

  /** Starts a check of all tags in the registry, because a notification could not be read. */
  missed(): void {
    this.#queue.overflow();
    this.#work();
  }

  /** Starts to handle the pushes in the queue. Before this call, the queue only collects pushes. */
  begin(): void {
    this.#hasBegun = true;
    this.#work();
  }

  look(): Promise<void> {
    return this.#serially(() => this.#look.run(this.#stopping.signal));
  }

  /** Starts a check of all tags in the registry, because notifications may have been lost. */
  distrust(): void {
    this.#look.distrust();
    this.#options.nudge();
  }

  /** Resolves when the queue is empty and no push is being handled. */
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
    // The audit log entry of the current API request must not include the changes that pushes cause.
    this.#core.store.trail.apart(() => {
      void this.#serially(() => this.#drain());
    });
  }

  async #drain(): Promise<void> {
    for (let received = this.#queue.take(); received !== undefined; received = this.#queue.take()) {
      if (this.#stopping.signal.aborted) break;
      await this.#take(received);
    }
    this.#isWorking = false;
    if (this.#queue.takeOverflow()) this.distrust();
  }

  async #take(received: ReceivedPush): Promise<void> {
    const { repository, tag, digest: expected, at } = received.push;
    const { store } = this.#core;
    const { log } = this.#options;
    try {
      const app = registryAppBy(store, repository);
      // Read the tag's current digest from the registry, because notifications can be late or out of order.
      const digest = app && (await this.#named(received));
      const hasExpectedDigest = expected === null || digest === expected;
      // Skip this notification if a later push changed the tag. The notification of the later push is handled instead.
      if (!hasExpectedDigest && this.#queue.isOvertaken(received.push)) return;
      if (app && !hasExpectedDigest) this.#awaitTag(received.push);
      const pusher = pusherOf(store, received.push.by);
      const by = hasExpectedDigest || pusher === 'forgotten' ? pusher : null;
      if (app && digest) await takePush(this.#core, { app: currentApp(store, app.id), tag, digest, by, at }, log);
    } catch (error) {
      if (!(error instanceof RegistryUnavailable))
        log.warn({ repository, tag, error }, 'a pushed image could not be saved as a release; Davit tries again');
      this.#queue.putAside(received.push);
      this.#queue.overflow();
    }
  }

  /**
   * Called if a tag does not have the reported image yet. Saves the user in memory and starts a check of all tags. This
   * check finds the push later.
   */
  #awaitTag(push: ReportedPush): void {
    this.#queue.putAside(push);
    this.#options.nudge();
  }

  /**
   * Returns the current digest of a tag. Waits briefly for the reported digest, because the notification arrives before
   * the change of the tag.
   */
  async #named({
    push: { repository, tag, digest: expected },
    heardAt: receivedAt,
  }: ReceivedPush): Promise<string | null> {
    for (const pause of TAGGED_MS) {
      const digest = await this.#core.registry.digestOf(repository, tag);
      if (digest === expected || expected === null || performance.now() - receivedAt > SETTLES_MS) return digest;
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

/**
 * Returns a warning if some pushes could not be deployed yet and Davit will retry them. Otherwise, returns an empty
 * list.
 */
export function pushWarnings(db: Reader, projects: readonly number[] | null): string[] {
  const waiting = waitingPushes(db, projects);
  const [first] = waiting;
  if (first === undefined) return [];
  const others = waiting.length === 1 ? '' : ` Number of other waiting pushes: ${waiting.length - 1}.`;
  return [
    `The push of ${first.app}:${first.tag} is not deployed yet. ${first.reason ?? 'Davit tries again.'}${others}`,
  ];
}
