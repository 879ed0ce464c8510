/** Finds pushes that nobody told of: what the registry's tags name is compared with what was last seen under them. */
import type { Logger } from '@davit/service';
import { type RegistryHead, RegistryUnavailable } from '../registry/registry.ts';
import { forgetPush, type PushedApp, type PushRow, pushedApps, pushesOfApp, waitingPushes } from '../store/push.ts';
import { leftRepositories } from '../store/repository.ts';
import type { Core } from './core.ts';
import { currentApp } from './lookup.ts';
import { note, takePush } from './push.ts';

/** Who pushed an image, where it was told before the image was there; null where nobody told. */
type Recall = (repository: string, tag: string, digest: string) => string | null;

/** So that a tag that was deleted, or moved back, is noticed as well. */
const WHOLE_EVERY = 20;

export class PushLook {
  readonly #core: Core;
  readonly #log: Logger;
  readonly #recall: Recall;
  /** By app: when the newest of its tags was pushed that has been looked at; 0: it has none. */
  readonly #looked = new Map<number, number>();
  #looks = 0;

  constructor(core: Core, log: Logger, recall: Recall) {
    this.#core = core;
    this.#log = log;
    this.#recall = recall;
  }

  /** The next look is at everything: what was pushed may never have been told. */
  distrust(): void {
    this.#looks = 0;
  }

  /** Looks at the tags of every app that is pushed to; costs a look at each of their files. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.#looks % WHOLE_EVERY === 0) this.#looked.clear();
    this.#looks += 1;
    const { store } = this.#core;
    for (const { app_id } of waitingPushes(store)) this.#looked.delete(app_id);
    const left = new Set(leftRepositories(store).map(({ name }) => name));
    for (const app of pushedApps(store)) {
      if (signal.aborted) return;
      if (left.has(app.reference)) continue;
      try {
        await this.#lookAt(app);
      } catch (error) {
        this.#looked.delete(app.id);
        // It is told by whoever keeps it running, and looked at again when it has returned.
        if (error instanceof RegistryUnavailable) return this.distrust();
        this.#log.warn({ app: app.reference, error }, 'the pushes of an app could not be looked at');
      }
    }
  }

  async #lookAt(app: PushedApp): Promise<void> {
    const { registry, store } = this.#core;
    const since = this.#looked.get(app.id);
    const heads = await registry.heads(app.reference, since ?? 0);
    this.#looked.set(app.id, heads.at(-1)?.pushedAt ?? since ?? 0);
    if (since !== undefined && heads.length === 0) return;
    const rows = pushesOfApp(store, app.id);
    if (since === undefined) this.#forget(app, rows, heads);

    const known = new Map(rows.map((row) => [row.tag, row]));
    const news = heads.filter((head) => isNews(known.get(head.tag), head));
    const older = news.splice(0, news.length - 1);
    for (const head of older) this.#record(app, head, 'A newer one was found with it.');
    for (const head of news) {
      // Put there by hand, while nobody could be let in.
      if (head.pushedAt < app.created_at) this.#record(app, head, 'It was there before this app was made.');
      else await this.#take(app, head);
    }
  }

  /** The registry itself is asked once more: a tag that moves meanwhile is told of, or found by the next look. */
  async #take(app: PushedApp, { tag, digest }: RegistryHead): Promise<void> {
    const { registry, store } = this.#core;
    if ((await registry.digestOf(app.reference, tag)) !== digest) {
      this.#looked.delete(app.id);
      return;
    }
    const by = this.#recall(app.reference, tag, digest);
    await takePush(this.#core, { app: currentApp(store, app.id), tag, digest, by, at: 0 }, this.#log);
  }

  #record(app: PushedApp, { tag, digest }: RegistryHead, reason: string): void {
    const by = this.#recall(app.reference, tag, digest);
    note(this.#core, { app: currentApp(this.#core.store, app.id), tag, digest, by, at: 0 }, 'recorded', reason);
  }

  #forget({ id }: PushedApp, rows: readonly PushRow[], heads: readonly RegistryHead[]): void {
    const there = new Set(heads.map(({ tag }) => tag));
    const gone = rows.filter(({ tag }) => !there.has(tag));
    if (gone.length === 0) return;
    this.#core.store.tx((tx) => {
      for (const { tag } of gone) forgetPush(tx, id, tag);
    });
  }
}

function isNews(known: PushRow | undefined, { digest }: RegistryHead): boolean {
  return known?.digest !== digest || known.outcome === 'waiting';
}
