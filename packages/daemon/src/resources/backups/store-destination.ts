import type { BackupDestination as Kept } from '@davit/api';
import { storeByName } from '../../db/tables/object-store.ts';
import type { ObjectClient } from '../object-stores/client.ts';
import { clientOfStore } from '../object-stores/client-of.ts';
import { StoreProblem } from '../object-stores/problem.ts';
import type { BackupsDeps } from './deps.ts';
import {
  type BackupDestination,
  DestinationMissing,
  DestinationRefused,
  DestinationUnavailable,
  type KeptObject,
} from './destination.ts';

const LISTED_AT_ONCE = 1_000;

/**
 * Destination in a bucket of an object store. The store is looked up for each use, because its keys may change at any
 * time.
 */
export class StoreDestination implements BackupDestination {
  readonly #base: Pick<BackupsDeps, 'store' | 'sealer' | 'isOpenAddress' | 'engine' | 'now'>;
  readonly #store: string;
  readonly #bucket: string;

  constructor(
    base: Pick<BackupsDeps, 'store' | 'sealer' | 'isOpenAddress' | 'engine' | 'now'>,
    { store, bucket }: Extract<Kept, { kind: 'store' }>,
  ) {
    this.#base = base;
    this.#store = store;
    this.#bucket = bucket;
  }

  put(key: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number> {
    return this.#ask((client) => client.put(this.#bucket, key, source, signal));
  }

  async get(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const client = await this.#client();
    try {
      const { body } = await client.get(this.#bucket, key, signal);
      return readWith(client, body);
    } catch (error) {
      client[Symbol.dispose]();
      throw refusalOf(error);
    }
  }

  async *list(prefix: string, signal: AbortSignal): AsyncIterable<KeptObject> {
    let cursor: string | undefined;
    do {
      const ask = { prefix, limit: LISTED_AT_ONCE, cursor };
      const { items, next } = await this.#ask((client) => client.list(this.#bucket, ask, signal));
      for (const { key, bytes } of items) yield { key, sizeBytes: bytes ?? 0 };
      cursor = next ?? undefined;
    } while (cursor !== undefined);
  }

  async delete(key: string, signal?: AbortSignal): Promise<void> {
    try {
      await this.#ask((client) => client.delete(this.#bucket, key, signal));
    } catch (error) {
      // The bucket was removed with all of its objects.
      if (!(error instanceof DestinationMissing)) throw error;
    }
  }

  async #ask<T>(work: (client: ObjectClient) => Promise<T>): Promise<T> {
    using client = await this.#client();
    try {
      return await work(client);
    } catch (error) {
      throw refusalOf(error);
    }
  }

  async #client(): Promise<ObjectClient> {
    const row = storeByName(this.#base.store, this.#store);
    if (row === undefined) throw new DestinationRefused(`The object store ${this.#store} does not exist any more.`);
    if (row.bucket !== null && row.bucket !== this.#bucket)
      throw new DestinationRefused(
        `The keys of the object store ${row.name} give access to the bucket ${row.bucket}, not to ${this.#bucket}. Change the object store.`,
      );
    try {
      return await clientOfStore(this.#base, row);
    } catch (error) {
      throw refusalOf(error);
    }
  }
}

/** Returns the body and keeps the client open until the body is read. */
async function* readWith(client: ObjectClient, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  using _ = client;
  try {
    yield* body;
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof StoreProblem)) return error;
  const options = { cause: error };
  if (error.kind === 'missing') return new DestinationMissing(error.message, options);
  // A name that does not resolve now may resolve later. A forbidden address has the same result:
  // a different error would reveal names of the private network to users with limited rights.
  if (error.kind === 'unreachable' || error.kind === 'forbidden')
    return new DestinationUnavailable(error.message, options);
  return new DestinationRefused(error.message, options);
}
