/**
 * The collection of what nothing in the registry needs: which tags and repositories go, what stays for the sake of
 * releases, and what became of the last one. One at a time.
 */
import { DavitError } from '@davit/api';
import type { Collected, CollectionAsk } from '../registry/registry.ts';
import { forgetRelease } from '../store/release-tag.ts';
import { emptyRepository, ownerOf, pushedToSince, unownedBefore } from '../store/repository.ts';
import { readSetting, writeSetting } from '../store/settings.ts';
import type { Tx } from '../store/store.ts';
import type { Base } from './base.ts';
import { neededDigests, spareTags } from './own-images.ts';

type Parts = Pick<Base, 'registry' | 'store' | 'settings' | 'facts' | 'now'>;

/** What a collection took, or would take. */
export interface Collection extends Collected, Pick<CollectionAsk, 'tags' | 'repositories'> {
  /** Repositories that were left alone because somebody may be pushing to them. */
  spared: string[];
}

export interface CollectionRecord {
  /** When it ended, in milliseconds since the epoch. */
  at: number;
  freedBytes: number;
  error: string | null;
}

const RECORD = 'registry.collection';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export class RegistryCollector {
  readonly #base: Parts;
  #running = false;
  /** It is time for one, whatever the clock says: a disk fills up. */
  isWanted = false;
  /** When the next one is due; null: not known yet. Kept by the reconciler that begins them. */
  nextAt: number | null = null;
  /** What the registry takes on the disk, as it was last measured; null: not yet. */
  bytes: number | null = null;

  constructor(base: Parts) {
    this.#base = base;
  }

  get running(): boolean {
    return this.#running;
  }

  /** What became of the last one; null: there has been none. */
  last(): CollectionRecord | null {
    const { store } = this.#base;
    const text = store.memo(RECORD, () => readSetting(store, RECORD));
    // Written by this program, and by nobody else.
    return text === undefined ? null : (JSON.parse(text) as CollectionRecord);
  }

  /** What a collection would take now. @throws RegistryUnavailable */
  async preview(): Promise<Collection> {
    const ask = this.#ask();
    return present(ask, await this.#base.registry.preview(ask));
  }

  /** @throws DavitError conflict while one is running; RegistryUnavailable */
  async collect(): Promise<Collection> {
    if (this.#running)
      throw new DavitError('conflict', 'A collection is under way already: wait for it, see GET /api/registry.');
    this.#running = true;
    this.isWanted = false;
    try {
      this.#base.store.tx((tx) => tx.event({ kind: 'instance', data: { change: 'registry.collecting' } }));
      let ask = this.#ask();
      const done = await this.#base.registry.collect(() => {
        ask = this.#ask();
        return ask;
      });
      this.#record({ freedBytes: done.freedBytes, error: null }, ask);
      return present(ask, done);
    } catch (error) {
      this.#record({ freedBytes: 0, error: (error as Error).message }, null);
      throw error;
    } finally {
      this.#running = false;
    }
  }

  #ask(): CollectionAsk {
    const { store, settings, now } = this.#base;
    const { push_minutes: minutes, deleted_days: days } = settings().registry;
    const spare = new Set(pushedToSince(store, now() - minutes * MINUTE_MS));
    const isLeft = (repository: string) => !spare.has(repository);
    const keep = neededDigests(this.#base);
    return {
      keep,
      tags: spareTags(this.#base, keep).filter(({ repository }) => isLeft(repository)),
      repositories: unownedBefore(store, now() - days * DAY_MS).filter(
        (name) => isLeft(name) && ownerOf(store, name) === null,
      ),
      spare,
      youngMs: minutes * MINUTE_MS,
    };
  }

  /** @param ask what was removed; null: nothing was */
  #record(outcome: Omit<CollectionRecord, 'at'>, ask: CollectionAsk | null): void {
    const { store, now } = this.#base;
    store.tx((tx) => {
      writeSetting(tx, RECORD, JSON.stringify({ at: now(), ...outcome }));
      if (ask !== null) forget(tx, ask);
      tx.event({
        kind: 'instance',
        data: { change: outcome.error === null ? 'registry.collected' : 'registry.failed' },
      });
    });
  }
}

function forget(tx: Tx, { tags, repositories }: CollectionAsk): void {
  for (const { repository, tag } of tags) {
    const appId = ownerOf(tx, repository);
    if (appId !== null) forgetRelease(tx, appId, tag);
  }
  for (const name of repositories) emptyRepository(tx, name);
}

function present({ tags, repositories, spare }: CollectionAsk, done: Collected): Collection {
  return { ...done, tags, repositories, spared: [...spare] };
}
