/**
 * Garbage collection of the registry. Only one garbage collection runs at a time. It removes unneeded tags and
 * repositories, but never images that releases need.
 */
import { DavitError } from '@davit/api';
import { type Collected, type CollectionRequest, RegistryUnavailable } from '../../adapters/registry/registry.ts';
import type { Tx } from '../../db/store.ts';
import { forgetRelease } from '../../db/tables/release-tag.ts';
import { emptyRepository, ownerOf, pushedToSince, unownedBefore } from '../../db/tables/repository.ts';
import { readSetting, writeSetting } from '../../db/tables/settings.ts';
import type { Collection, CollectionRecord, Collections } from './collections.ts';
import type { RegistryDeps } from './deps.ts';
import { neededDigests, spareTags } from './needed-images.ts';

type Parts = Pick<RegistryDeps, 'registry' | 'store' | 'settings' | 'facts' | 'now'>;

/**
 * Error message for users. It does not contain the error of the file system, because that error can contain names of
 * other projects' repositories.
 */
const FAILED =
  'The garbage collection of the registry failed. It removed no image that a release needs; find the reason in the log of the instance.';

const RECORD = 'registry.collection';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export class RegistryCollector implements Collections {
  readonly #base: Parts;
  #running = false;
  isWanted = false;
  nextAt: number | null = null;
  bytes: number | null = null;

  constructor(base: Parts) {
    this.#base = base;
  }

  get running(): boolean {
    return this.#running;
  }

  last(): CollectionRecord | null {
    const { store } = this.#base;
    const text = store.memo(RECORD, () => readSetting(store, RECORD));
    // Do not validate the stored result of the garbage collection, because only Davit writes it.
    return text === undefined ? null : (JSON.parse(text) as CollectionRecord);
  }

  async preview(): Promise<Collection> {
    const request = this.#ask();
    return present(request, await this.#base.registry.preview(request));
  }

  async collect(): Promise<Collection> {
    if (this.#running)
      throw new DavitError(
        'conflict',
        'Garbage collection of the registry is already running. GET /api/registry shows when it has finished.',
      );
    this.#running = true;
    this.isWanted = false;
    try {
      this.#base.store.tx((tx) => tx.event({ kind: 'instance', data: { change: 'registry.collecting' } }));
      let request = this.#ask();
      const done = await this.#base.registry.collect(() => {
        request = this.#ask();
        return request;
      });
      this.#record({ freedBytes: done.freedBytes, error: null }, request);
      return present(request, done);
    } catch (error) {
      const said = error instanceof RegistryUnavailable ? error.message : FAILED;
      this.#record({ freedBytes: 0, error: said }, null);
      throw error;
    } finally {
      this.#running = false;
    }
  }

  #ask(): CollectionRequest {
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

  /**
   * Saves the result of a garbage collection.
   * @param request removed tags and repositories, or `null` if the garbage collection failed
   */
  #record(outcome: Omit<CollectionRecord, 'at'>, request: CollectionRequest | null): void {
    const { store, now } = this.#base;
    store.tx((tx) => {
      writeSetting(tx, RECORD, JSON.stringify({ at: now(), ...outcome }));
      if (request !== null) forget(tx, request);
      tx.event({
        kind: 'instance',
        data: { change: outcome.error === null ? 'registry.collected' : 'registry.failed' },
      });
    });
  }
}

function forget(tx: Tx, { tags, repositories }: CollectionRequest): void {
  for (const { repository, tag } of tags) {
    const appId = ownerOf(tx, repository);
    if (appId !== null) forgetRelease(tx, appId, tag);
  }
  for (const name of repositories) emptyRepository(tx, name);
}

function present({ tags, repositories, spare }: CollectionRequest, done: Collected): Collection {
  return { ...done, tags, repositories, spared: [...spare] };
}
