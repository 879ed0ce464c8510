/** Downloads layers and image configurations and verifies their digests. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { atMost } from './at-most.ts';
import type { Blob } from './manifest.ts';
import { noSlower } from './no-slower.ts';
import { RemoteProblem } from './problem.ts';
import { whyBrokeOff } from './request.ts';

/**
 * Starts the download of a layer or an image configuration.
 * @throws RemoteProblem if the repository does not have the blob, or the abort reason
 */
export type OpenBlob = (digest: string, signal: AbortSignal) => Promise<Readable>;

/**
 * Downloads a blob and verifies its digest after the last byte. Callers must not trust the data before the end of the
 * download.
 * @throws RemoteProblem if the blob is missing or wrong, or the abort reason
 */
export async function* verified(
  open: OpenBlob,
  { digest, size }: Blob,
  signal: AbortSignal,
): AsyncGenerator<Buffer, undefined> {
  const chunks = await open(digest, signal);
  const [algorithm = '', expected] = digest.split(':');
  const hash = createHash(algorithm);
  try {
    for await (const chunk of noSlower(atMost(size, chunks))) {
      hash.update(chunk);
      yield chunk;
    }
  } catch (cause) {
    throw whyBrokeOff(cause, signal);
  }
  if (hash.digest('hex') === expected) return;
  throw new RemoteProblem('registry_answer_invalid', `the downloaded content does not match the digest ${digest}`);
}

/**
 * Downloads and verifies a blob without storing the data.
 * @throws RemoteProblem for a missing blob or a wrong size or digest, or the abort reason
 */
export async function demandBlob(open: OpenBlob, blob: Blob, signal: AbortSignal): Promise<void> {
  const chunks = verified(open, blob, signal);
  while ((await chunks.next()).done !== true);
}
