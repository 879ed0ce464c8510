/**
 * Uploads objects of unknown length with S3 multipart uploads. Even for large objects, at most two parts are in memory.
 */
import { StoreProblem } from './problem.ts';

/**
 * Size of a part in bytes. All S3 servers accept this size. Some servers require that all parts except the last have
 * the same size.
 */
export const PART_BYTES = 16 * 1024 * 1024;
/** Maximum number of parts in one multipart upload that all S3 servers accept. */
const MOST_PARTS = 10_000;

/** Operations of an S3 multipart upload. A failed operation is retried. */
export interface PartsTarget {
  /** Uploads an object to S3 in one request. The object must not be larger than one part of a multipart upload. */
  putWhole(body: Uint8Array): Promise<void>;
  begin(): Promise<string>;
  /**
   * Uploads one part of an S3 multipart upload.
   * @returns ETag of the part
   */
  putPart(upload: string, number: number, body: Uint8Array): Promise<string>;
  complete(upload: string, tags: readonly string[]): Promise<void>;
  abort(upload: string): Promise<void>;
}

/**
 * Uploads a stream as an S3 object.
 * @returns number of uploaded bytes
 */
export async function uploadInParts(
  target: PartsTarget,
  body: AsyncIterable<Uint8Array>,
  partBytes = PART_BYTES,
): Promise<number> {
  const parts = partsOf(body, partBytes)[Symbol.asyncIterator]();
  try {
    const first = await parts.next();
    if (first.done) {
      await target.putWhole(new Uint8Array());
      return 0;
    }
    if (first.value.length < partBytes) {
      await target.putWhole(first.value);
      return first.value.length;
    }
    return await uploadMany(target, first.value, parts);
  } finally {
    // Close the stream even if it was not read to the end, so that the stream frees its resources.
    await parts.return?.(undefined);
  }
}

async function uploadMany(target: PartsTarget, first: Uint8Array, parts: AsyncIterator<Uint8Array>): Promise<number> {
  const upload = await target.begin();
  try {
    const tags: string[] = [];
    let bytes = 0;
    let part: Uint8Array | null = first;
    while (part !== null) {
      if (tags.length === MOST_PARTS) throw tooLarge();
      // Read the next part from the stream during the upload of the current part.
      const [tag, next]: [string, IteratorResult<Uint8Array>] = await both(
        target.putPart(upload, tags.length + 1, part),
        parts.next(),
      );
      tags.push(tag);
      bytes += part.length;
      part = next.done ? null : next.value;
    }
    await target.complete(upload, tags);
    return bytes;
  } catch (error) {
    await target.abort(upload);
    throw error;
  }
}

/**
 * Waits until both promises have ended, even if one fails. One promise uploads data from a buffer that the caller
 * reuses. So the upload must end before this function returns.
 */
async function both<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled([one, other]);
  if (first.status === 'rejected') throw first.reason;
  if (second.status === 'rejected') throw second.reason;
  return [first.value, second.value];
}

function tooLarge(): StoreProblem {
  const most = (MOST_PARTS * PART_BYTES) / 1024 ** 3;
  return new StoreProblem(
    'conflict',
    `The file is larger than ${Math.floor(most)} GiB, which is the limit of one upload.`,
  );
}

/**
 * Splits a stream into parts of equal size. Only the last part can be shorter. Two buffers are used in turn: part 3
 * overwrites part 1, and part 4 overwrites part 2.
 */
async function* partsOf(
  body: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const buffers = new BufferPair(partBytes);
  let filling = buffers.next();
  let filled = 0;
  for await (const chunk of body) {
    let rest = chunk;
    while (rest.length > 0) {
      const taken = rest.subarray(0, partBytes - filled);
      filling.set(taken, filled);
      filled += taken.length;
      rest = rest.subarray(taken.length);
      if (filled < partBytes) continue;
      yield filling;
      filling = buffers.next();
      filled = 0;
    }
  }
  if (filled > 0) yield filling.subarray(0, filled);
}

/**
 * Two buffers for the parts of a multipart upload, used in turn. The second buffer is created only if there is a second
 * part, because most objects have only one part.
 */
class BufferPair {
  readonly #bytes: number;
  readonly #made: Uint8Array[] = [];
  #turn = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  next(): Uint8Array {
    const at = this.#turn % 2;
    this.#turn += 1;
    this.#made[at] ??= Buffer.allocUnsafeSlow(this.#bytes);
    return this.#made[at];
  }
}
