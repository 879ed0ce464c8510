import type { BackupDestination as Kept } from '@davit/api';
import { storeByName } from '../../db/tables/object-store.ts';
import type { ObjectClient } from '../object-stores/client.ts';
import { clientOfStore } from '../object-stores/client-of.ts';
import { StoreProblem, withoutAddress } from '../object-stores/problem.ts';
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
 * Backup destination in a bucket of an object store. Each request reads the row of the object store again, because the
 * access keys may change at any time.
 */
export class StoreDestination implements BackupDestination {
  readonly #base: Pick<BackupsDeps, 'store' | 'sealer' | 'isOpenAddress' | 'engine' | 'now' | 'log'>;
  readonly #store: string;
  readonly #bucket: string;

  constructor(
    base: Pick<BackupsDeps, 'store' | 'sealer' | 'isOpenAddress' | 'engine' | 'now' | 'log'>,
    { object_store, bucket }: Extract<Kept, { kind: 'object_store' }>,
  ) {
    this.#base = base;
    this.#store = object_store;
    this.#bucket = bucket;
  }

  put(key: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number> {
    return this.#ask((client) => client.put(this.#bucket, key, source, signal));
  }

  async get(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const client = await this.#client();
    try {
      const { body } = await client.get(this.#bucket, key, signal);
      return this.#readWith(client, body);
    } catch (error) {
      client[Symbol.dispose]();
      throw this.#refusalOf(error);
    }
  }

  async *list(prefix: string, signal: AbortSignal): AsyncIterable<KeptObject> {
    let cursor: string | undefined;
    do {
      const request = { prefix, limit: LISTED_AT_ONCE, cursor };
      const { items, next } = await this.#ask((client) => client.list(this.#bucket, request, signal));
      for (const { key, bytes } of items) yield { key, sizeBytes: bytes ?? 0 };
      cursor = next ?? undefined;
    } while (cursor !== undefined);
  }

  async delete(key: string, signal?: AbortSignal): Promise<void> {
    try {
      await this.#ask((client) => client.delete(this.#bucket, key, signal));
    } catch (error) {
      // Ignore a missing bucket, because its objects do not exist either.
      if (!(error instanceof DestinationMissing)) throw error;
    }
  }

  async #ask<T>(work: (client: ObjectClient) => Promise<T>): Promise<T> {
    using client = await this.#client();
    try {
      return await work(client);
    } catch (error) {
      throw this.#refusalOf(error);
    }
  }

  async #client(): Promise<ObjectClient> {
    const row = storeByName(this.#base.store, this.#store);
    if (row === undefined) throw new DestinationRefused(`The object store ${this.#store} does not exist any more.`);
    if (row.bucket !== null && row.bucket !== this.#bucket)
      throw new DestinationRefused(
        `The keys of the object store ${row.name} give access to the bucket ${row.bucket}, not to ${this.#bucket}. Set keys that give access to this bucket.`,
      );
    try {
      return await clientOfStore(this.#base, row);
    } catch (error) {
      throw this.#refusalOf(error);
    }
  }

  /** Returns the body of an object. When the caller has read the body, the function closes the S3 client. */
  async *#readWith(client: ObjectClient, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    using _ = client;
    try {
      yield* body;
    } catch (error) {
      throw this.#refusalOf(error);
    }
  }

  #refusalOf(error: unknown): unknown {
    if (!(error instanceof StoreProblem)) return error;
    const options = { cause: error };
    const message = this.#messageOf(error);
    if (error.kind === 'missing') return new DestinationMissing(message, options);
    /*
     * If Davit must not connect to the IP address, throw the same error as for an unreachable host. Otherwise, users
     * could find out whether a private host exists.
     */
    if (error.kind === 'unreachable' || error.kind === 'forbidden') return new DestinationUnavailable(message, options);
    return new DestinationRefused(message, options);
  }

  /**
   * Returns an error message for users of a project. If the object store belongs to no project, the message must not
   * contain the address of the object store.
   */
  #messageOf(problem: StoreProblem): string {
    const { store, log } = this.#base;
    const projectId = storeByName(store, this.#store)?.project_id ?? null;
    if (projectId !== null) return problem.message;
    log.warn(
      { object_store: this.#store, error: problem },
      'the object store for backups refused a request or did not respond',
    );
    return withoutAddress(this.#store, problem);
  }
}
