/** S3 client for an instance that simulates containers without Docker. It keeps all objects in memory. */
import type { FoundBucket, FoundObject, ListAnswer, ListRequest, ObjectClient, OpenedObject } from './client.ts';
import { StoreProblem } from './problem.ts';

interface Kept {
  bytes: Buffer;
  at: number;
}

export type SimulatedBuckets = Map<string, { createdAt: number; objects: Map<string, Kept> }>;

export class SimulatedObjectClient implements ObjectClient {
  readonly #endpoint: string;
  readonly #buckets: SimulatedBuckets;
  readonly #now: () => number;

  constructor(endpoint: string, buckets: SimulatedBuckets, now: () => number) {
    this.#endpoint = endpoint;
    this.#buckets = buckets;
    this.#now = now;
  }

  async listBuckets(): Promise<FoundBucket[]> {
    return [...this.#buckets].map(([name, { createdAt }]) => ({ name, createdAt })).sort(byName);
  }

  async lookAtBucket(bucket: string): Promise<void> {
    this.#objects(bucket);
  }

  async createBucket(bucket: string): Promise<void> {
    if (this.#buckets.has(bucket))
      throw new StoreProblem(
        'conflict',
        `The bucket “${bucket}” already exists. Use that bucket, or choose another name.`,
      );
    this.#buckets.set(bucket, { createdAt: this.#now(), objects: new Map() });
  }

  async deleteBucket(bucket: string): Promise<void> {
    if (this.#objects(bucket).size > 0)
      throw new StoreProblem('conflict', `The bucket “${bucket}” is not empty. Delete its objects first.`);
    this.#buckets.delete(bucket);
  }

  async list(bucket: string, { prefix = '', delimiter, limit, cursor = '' }: ListRequest): Promise<ListAnswer> {
    const found = new Map<string, FoundObject>();
    for (const [key, { bytes, at }] of this.#objects(bucket)) {
      if (!key.startsWith(prefix)) continue;
      const end = delimiter === undefined ? -1 : key.indexOf(delimiter, prefix.length);
      const folder = end < 0 ? null : key.slice(0, end + 1);
      found.set(folder ?? key, {
        kind: folder === null ? 'object' : 'folder',
        key: folder ?? key,
        bytes: folder === null ? bytes.length : null,
        modifiedAt: folder === null ? at : null,
        etag: null,
      });
    }
    const after = [...found.values()].filter(({ key }) => key > cursor).sort((a, b) => (a.key < b.key ? -1 : 1));
    const items = after.slice(0, limit);
    return { items, next: items.length < after.length ? (items.at(-1)?.key ?? null) : null };
  }

  async put(bucket: string, key: string, body: AsyncIterable<Uint8Array>): Promise<number> {
    const bytes = Buffer.concat(await Array.fromAsync(body));
    this.#objects(bucket).set(key, { bytes, at: this.#now() });
    return bytes.length;
  }

  async get(bucket: string, key: string): Promise<OpenedObject> {
    const kept = this.#objects(bucket).get(key);
    if (kept === undefined)
      throw new StoreProblem('missing', `The object “${key}” does not exist in “${bucket}”. List the objects.`);
    const { bytes } = kept;
    return {
      bytes: bytes.length,
      body: (async function* () {
        yield bytes;
      })(),
    };
  }

  async delete(bucket: string, key: string): Promise<void> {
    this.#objects(bucket).delete(key);
  }

  async presign(method: 'GET' | 'PUT', bucket: string, key: string, expiresS: number): Promise<string> {
    const path = [bucket, ...key.split('/')].map(encodeURIComponent).join('/');
    return `${this.#endpoint}/${path}?simulated=${method}&X-Amz-Expires=${expiresS}`;
  }

  [Symbol.dispose](): void {
    // Do not delete the buckets here, because other clients use the same buckets.
  }

  #objects(bucket: string): Map<string, Kept> {
    const found = this.#buckets.get(bucket);
    if (found === undefined)
      throw new StoreProblem('missing', `The bucket “${bucket}” does not exist. List the buckets.`);
    return found.objects;
  }
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}
