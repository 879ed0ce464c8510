/** The pushes to this instance: told of by its registry, found by looking, and taken one after the other. */
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

/** The pauses between looks at a tag that does not name yet what it was told to … */
const TAGGED_MS = [5, 20, 50, 100, 200];
/** … which is so only for so long: what has waited its turn meanwhile holds up nothing more. */
const SETTLES_MS = 375;

export interface PushesOptions {
  log: Logger;
  /** Asks for a look at every tag soon. */
  nudge: () => void;
}

export class Pushes implements AsyncDisposable {
  readonly #core: PushesDeps;
  readonly #options: PushesOptions;
  readonly #queue = new PushQueue();
  readonly #look: PushLook;
  readonly #stopping = new AbortController();
  /** Whatever is done with pushes, so that what was seen of a tag is not compared with what another is about to write. */
  #last: Promise<void> = Promise.resolve();
  #isWorking = false;
  #hasBegun = false;

  constructor(core: PushesDeps, options: PushesOptions) {
    this.#core = core;
    this.#options = options;
    this.#look = new PushLook(core, options.log, (...image) => this.#queue.recall(...image));
  }

  /** Takes what the registry tells, and returns before anything is done about it. @param text as it was received */
  told(text: string): void {
    this.#queue.offer(text);
    this.#work();
  }

  /** For what was told and could not be read: every tag is looked at instead. */
  missed(): void {
    this.#queue.overflow();
    this.#work();
  }

  /** Nothing is done before what the last process left is taken up. */
  begin(): void {
    this.#hasBegun = true;
    this.#work();
  }

  /** Compares every tag with what is known. */
  look(): Promise<void> {
    return this.#serially(() => this.#look.run(this.#stopping.signal));
  }

  /** The next look is at everything, as the registry may have lost what it had to tell. */
  distrust(): void {
    this.#look.distrust();
    this.#options.nudge();
  }

  /** Resolves when nothing is waiting. */
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
    // The request that told of them is answered and over.
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
      // What the tag names now, and not what it named when that was written: it may be old, or out of order.
      const digest = app && (await this.#named(heard));
      const isToldOf = expected === null || digest === expected;
      // What the tag names is the later push, which is told of next and says whose it is.
      if (!isToldOf && this.#queue.isOvertaken(heard.push)) return;
      if (app && !isToldOf) this.#awaitTag(heard.push);
      const told = pusherOf(store, heard.push.by);
      const by = isToldOf || told === 'forgotten' ? told : null;
      if (app && digest) await takePush(this.#core, { app: currentApp(store, app.id), tag, digest, by, at }, log);
    } catch (error) {
      if (!(error instanceof RegistryUnavailable)) log.warn({ repository, tag, error }, 'a push could not be taken');
      this.#queue.putAside(heard.push);
      this.#queue.overflow();
    }
  }

  /** A registry that is busy takes longer to move a tag than is waited for here. */
  #awaitTag(push: ToldPush): void {
    this.#queue.putAside(push);
    this.#options.nudge();
  }

  /** What a tag names: told of is a push some milliseconds before its tag is moved. */
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

/** What an operator should know of pushes, in sentences. */
export function pushWarnings(db: Reader, projects: readonly number[] | null): string[] {
  const waiting = waitingPushes(db, projects);
  const [first] = waiting;
  if (first === undefined) return [];
  const others = waiting.length === 1 ? '' : ` So do ${waiting.length - 1} others.`;
  return [
    `The push of ${first.app}:${first.tag} waits to be deployed: ${first.reason ?? 'it is tried again.'}${others}`,
  ];
}
