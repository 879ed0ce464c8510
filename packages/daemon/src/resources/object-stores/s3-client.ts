/**
 * Client for S3 servers that uses the AWS SDK. `client-of.ts` imports this file at the first request to an object
 * store, to save memory.
 */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { unlessAborted } from '@davit/service';
import { demandAllowed } from './address.ts';
import type { FoundBucket, ListAnswer, ListRequest, ObjectClient, OpenedObject, StoreConnection } from './client.ts';
import { StoreProblem, type StoreRequest, storeProblemOf } from './problem.ts';
import { configOf, PATIENCE, type Patience } from './s3-config.ts';
import { itemsOf, timeOf } from './s3-found.ts';
import { PART_BYTES, type PartsTarget, uploadInParts } from './upload.ts';

type About = Pick<StoreRequest, 'what' | 'bucket' | 'key'>;

export class S3ObjectClient implements ObjectClient {
  readonly #client: S3Client;
  readonly #connection: StoreConnection;
  readonly #patience: Patience;
  readonly #partBytes: number;

  /** @throws StoreProblem if the endpoint has an IP address that is never allowed */
  constructor(connection: StoreConnection, patience: Patience = PATIENCE, partBytes: number = PART_BYTES) {
    demandAllowed(connection.endpoint, connection.limit);
    this.#connection = connection;
    this.#patience = patience;
    this.#partBytes = partBytes;
    this.#client = new S3Client(configOf(connection, patience));
  }

  async listBuckets(signal?: AbortSignal): Promise<FoundBucket[]> {
    const { Buckets = [] } = await this.#ask({ what: 'list buckets' }, signal, (options) =>
      this.#client.send(new ListBucketsCommand({}), options),
    );
    return Buckets.flatMap(({ Name, CreationDate }) =>
      Name === undefined ? [] : [{ name: Name, createdAt: timeOf(CreationDate) }],
    ).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async lookAtBucket(bucket: string, signal?: AbortSignal): Promise<void> {
    await this.#ask({ what: 'read a bucket', bucket }, signal, (options) =>
      this.#client.send(new HeadBucketCommand({ Bucket: bucket }), options),
    );
  }

  async createBucket(bucket: string, signal?: AbortSignal): Promise<void> {
    await this.#ask({ what: 'create buckets', bucket }, signal, (options) =>
      this.#client.send(new CreateBucketCommand({ Bucket: bucket, ...this.#location() }), options),
    );
  }

  async deleteBucket(bucket: string, signal?: AbortSignal): Promise<void> {
    await this.#ask({ what: 'delete buckets', bucket }, signal, (options) =>
      this.#client.send(new DeleteBucketCommand({ Bucket: bucket }), options),
    );
  }

  async list(
    bucket: string,
    { prefix, delimiter, limit, cursor }: ListRequest,
    signal?: AbortSignal,
  ): Promise<ListAnswer> {
    const input = {
      Bucket: bucket,
      MaxKeys: limit,
      EncodingType: 'url' as const,
      ...(prefix !== undefined && { Prefix: prefix }),
      ...(delimiter !== undefined && { Delimiter: delimiter }),
      ...(cursor !== undefined && { ContinuationToken: cursor }),
    };
    const found = await this.#ask({ what: 'list objects', bucket }, signal, (options) =>
      this.#client.send(new ListObjectsV2Command(input), options),
    );
    return { items: itemsOf(found), next: (found.IsTruncated && found.NextContinuationToken) || null };
  }

  put(bucket: string, key: string, body: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<number> {
    return uploadInParts(this.#upload(bucket, key, signal), body, this.#partBytes);
  }

  async get(bucket: string, key: string, signal?: AbortSignal): Promise<OpenedObject> {
    const about = { what: 'read objects', bucket, key };
    const { Body, ContentLength } = await this.#ask(about, signal, (options) =>
      this.#client.send(new GetObjectCommand({ Bucket: bucket, Key: key }), options),
    );
    const bytes = ContentLength ?? null;
    return { bytes, body: this.#read(Body as AsyncIterable<Uint8Array>, bytes, about, signal) };
  }

  async delete(bucket: string, key: string, signal?: AbortSignal): Promise<void> {
    await this.#ask({ what: 'delete objects', bucket, key }, signal, (options) =>
      this.#client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }), options),
    );
  }

  presign(method: 'GET' | 'PUT', bucket: string, key: string, expiresS: number): Promise<string> {
    const input = { Bucket: bucket, Key: key };
    const options = { expiresIn: expiresS };
    /*
     * Make browsers download the object. Otherwise, a script in the object could run with the origin of the object
     * store.
     */
    return method === 'GET'
      ? getSignedUrl(
          this.#client,
          new GetObjectCommand({ ...input, ResponseContentDisposition: 'attachment' }),
          options,
        )
      : getSignedUrl(this.#client, new PutObjectCommand(input), options);
  }

  [Symbol.dispose](): void {
    this.#client.destroy();
  }

  #upload(bucket: string, key: string, signal: AbortSignal | undefined): PartsTarget {
    const at = { Bucket: bucket, Key: key };
    const about = { what: 'write objects', bucket, key };
    return {
      putWhole: async (body) => {
        await this.#ask(about, signal, (options) =>
          this.#client.send(new PutObjectCommand({ ...at, Body: body }), options),
        );
      },
      begin: async () => {
        const { UploadId } = await this.#ask(about, signal, (options) =>
          this.#client.send(new CreateMultipartUploadCommand(at), options),
        );
        return UploadId ?? this.#strange();
      },
      putPart: async (upload, number, body) => {
        const part = new UploadPartCommand({ ...at, UploadId: upload, PartNumber: number, Body: body });
        const { ETag } = await this.#ask(about, signal, (options) => this.#client.send(part, options));
        return ETag ?? this.#strange();
      },
      complete: async (upload, tags) => {
        const Parts = tags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
        const end = new CompleteMultipartUploadCommand({ ...at, UploadId: upload, MultipartUpload: { Parts } });
        await this.#ask(about, signal, (options) => this.#client.send(end, options));
      },
      /*
       * Send this request even if the user canceled the upload. If the request fails, a lifecycle rule later deletes
       * the unfinished upload.
       */
      abort: async (upload) => {
        const undo = new AbortMultipartUploadCommand({ ...at, UploadId: upload });
        const deadline = AbortSignal.timeout(this.#patience.idleMs);
        const sent = this.#client.send(undo, { abortSignal: deadline });
        await Promise.allSettled([unlessAborted(sent, deadline)]);
      },
    };
  }

  async *#read(
    body: AsyncIterable<Uint8Array>,
    expected: number | null,
    about: About,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    let arrived = 0;
    try {
      for await (const chunk of body) {
        arrived += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw storeProblemOf(error, this.#asked(about), signal);
    }
    if (expected !== null && arrived !== expected) {
      throw new StoreProblem('unreachable', `${this.#host} sent ${arrived} of ${expected} bytes. Try again.`);
    }
  }

  async #ask<T>(
    about: About,
    signal: AbortSignal | undefined,
    work: (options: { abortSignal?: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    try {
      return await unlessAborted(work(signal ? { abortSignal: signal } : {}), signal);
    } catch (error) {
      throw storeProblemOf(error, this.#asked(about), signal);
    }
  }

  #asked(about: About): StoreRequest {
    return { host: this.#host, region: this.#connection.region, ...about };
  }

  get #host(): string {
    return new URL(this.#connection.endpoint).host;
  }

  /**
   * Returns the location constraint for a new bucket. Amazon S3 requires the constraint outside us-east-1. Other object
   * stores do not accept it.
   */
  #location(): { CreateBucketConfiguration?: { LocationConstraint: never } } {
    const { endpoint, region } = this.#connection;
    const isNamed = /\.amazonaws\.com(\.cn)?$/.test(new URL(endpoint).hostname) && region !== 'us-east-1';
    // The cast is needed, because the type in the AWS SDK contains only the regions that existed at its release.
    return isNamed ? { CreateBucketConfiguration: { LocationConstraint: region as never } } : {};
  }

  #strange(): never {
    throw new StoreProblem('unreachable', `The server at ${this.#host} is not an object store. Check its address.`);
  }
}
