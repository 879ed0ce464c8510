/**
 * Finds pushed images for which no notification arrived. It compares the tags in the registry with the tags of the
 * previous check.
 */
import type { Logger } from '@davit/service';
import { type RegistryHead, RegistryUnavailable } from '../../adapters/registry/registry.ts';
import { currentApp } from '../../authorization/lookup.ts';
import {
  forgetPush,
  type PushedApp,
  type PushRow,
  pushedApps,
  pushesOfApp,
  waitingPushes,
} from '../../db/tables/push.ts';
import { leftRepositories } from '../../db/tables/repository.ts';
import { pusherOf } from '../registry/pusher.ts';
import { isPushedArtifact } from './artifact.ts';
import { type Push, recordArtifact, recordPush, takeImage } from './decide-push.ts';
import type { PushesDeps } from './deps.ts';

/**
 * Returns the user from the notification of a push, or `null` if no notification arrived. The user is the subject of
 * the registry token.
 */
type Recall = (repository: string, tag: string, digest: string) => string | null;

/**
 * Number of checks of the registry between two complete checks. A complete check compares all tags. It finds deleted
 * tags, and tags that point to an older image again. Other checks compare only new tags.
 */
const WHOLE_EVERY = 20;

export class PushLook {
  readonly #core: PushesDeps;
  readonly #log: Logger;
  readonly #recall: Recall;
  /**
   * Map from app id to the newest push time that the last check of the app found. The time is 0 if the app has no tags.
   */
  readonly #looked = new Map<number, number>();
  #looks = 0;

  constructor(core: PushesDeps, log: Logger, recall: Recall) {
    this.#core = core;
    this.#log = log;
    this.#recall = recall;
  }

  /** Makes the next check compare all tags in the registry, because notifications about pushes may have been lost. */
  distrust(): void {
    this.#looks = 0;
  }

  /**
   * Finds pushes for which no notification arrived. Compares the tags of every app in the registry with the saved
   * pushes in the database.
   */
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
        /*
         * Another reconciler logs this error. This check stopped early, so the next check must compare the tags of all
         * apps.
         */
        if (error instanceof RegistryUnavailable) return this.distrust();
        this.#log.warn({ app: app.reference, error }, 'a check for new images of an app in the registry failed');
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
    const images = await this.#imagesOf(
      app,
      heads.filter((head) => isNewHead(known.get(head.tag), head)),
    );
    const older = images.splice(0, images.length - 1);
    for (const head of older)
      this.#record(
        app,
        head,
        'A newer image of the app was pushed before Davit checked the registry, so Davit does not deploy this image.',
      );
    for (const head of images) {
      // Do not deploy an image that is older than the app. The image was pushed for an earlier app with the same name.
      if (head.pushedAt < app.created_at)
        this.#record(app, head, 'Davit does not deploy this image, because it was pushed before the app was created.');
      else await this.#take(app, head);
    }
  }

  /** Returns the tags that point to container images. Saves the pushes of all other tags. */
  async #imagesOf(app: PushedApp, heads: readonly RegistryHead[]): Promise<RegistryHead[]> {
    const images: RegistryHead[] = [];
    for (const head of heads) {
      if (await isPushedArtifact(this.#core.registry, app.reference, head)) {
        recordArtifact(this.#core, this.#found(app, head));
      } else images.push(head);
    }
    return images;
  }

  /**
   * Handles the push of an image if the tag still points to this image. If the tag has a newer image, a later check or
   * notification handles that image.
   */
  async #take(app: PushedApp, head: RegistryHead): Promise<void> {
    const { registry } = this.#core;
    const { tag, digest } = head;
    if ((await registry.digestOf(app.reference, tag)) !== digest) {
      this.#looked.delete(app.id);
      return;
    }
    await takeImage(this.#core, this.#found(app, head), this.#log);
  }

  #record(app: PushedApp, head: RegistryHead, reason: string): void {
    recordPush(this.#core, this.#found(app, head), reason, this.#log);
  }

  #found({ id, reference }: PushedApp, { tag, digest, pushedAt }: RegistryHead): Push {
    const { store } = this.#core;
    const by = pusherOf(store, this.#recall(reference, tag, digest));
    return { app: currentApp(store, id), tag, digest, by, at: pushedAt };
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

function isNewHead(known: PushRow | undefined, { digest }: RegistryHead): boolean {
  return known?.digest !== digest || known.outcome === 'waiting';
}
