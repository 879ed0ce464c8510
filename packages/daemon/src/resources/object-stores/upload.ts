/** Writes an object of unknown length in parts: two of them are in memory, whatever the object's size. */
import { StoreProblem } from './problem.ts';

/** Every store takes parts of this size, and one of them wants all parts alike. */
export const PART_BYTES = 16 * 1024 * 1024;
/** As many as any store takes. */
const MOST_PARTS = 10_000;

/** What an upload is made of; each is asked again by itself when it fails. */
export interface PartsTarget {
  /** The whole object, where it fits into one part. */
  putWhole(body: Uint8Array): Promise<void>;
  begin(): Promise<string>;
  /** @returns the part's tag */
  putPart(upload: string, number: number, body: Uint8Array): Promise<string>;
  complete(upload: string, tags: readonly string[]): Promise<void>;
  /** Takes back what was sent. */
  abort(upload: string): Promise<void>;
}

/** @returns how many bytes there were */
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
    // What was not read any more is told so, and lets go of what it holds.
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
      // The next one is read while this one is on its way.
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

/** Both, however they end: a buffer must not be filled anew while it is still being sent. */
async function both<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled([one, other]);
  if (first.status === 'rejected') throw first.reason;
  if (second.status === 'rejected') throw second.reason;
  return [first.value, second.value];
}

function tooLarge(): StoreProblem {
  const most = (MOST_PARTS * PART_BYTES) / 1024 ** 3;
  return new StoreProblem('conflict', `It is larger than ${Math.floor(most)} GiB, which no store takes in one upload.`);
}

/** The bytes in parts of one size, the last one shorter; two buffers by turns, so that a part is good until the next but one. */
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

/** Made when they are needed: most objects fit into one. */
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
