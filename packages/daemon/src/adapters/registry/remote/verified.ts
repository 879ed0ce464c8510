/** Downloads of layers and configurations that the daemon verifies itself. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { atMost } from './at-most.ts';
import type { Blob } from './manifest.ts';
import { noSlower } from './no-slower.ts';
import { RemoteProblem } from './problem.ts';
import { whyBrokeOff } from './request.ts';

/**
 * Opens a layer or a configuration of a repository.
 * @throws RemoteProblem if the repository does not have the blob; the reason of the signal
 */
export type OpenBlob = (digest: string, signal: AbortSignal) => Promise<Readable>;

/**
 * Passes on the bytes of a blob. The digest is verified after the last byte, so the caller must not use results before
 * the end.
 * @throws RemoteProblem if the repository does not have the blob, or if the bytes are wrong; the reason of the signal
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
  throw new RemoteProblem('registry_answer_invalid', `the content that was downloaded as ${digest} has another digest`);
}

/** Downloads and verifies a blob without storing it. @throws the errors of {@link verified} */
export async function demandBlob(open: OpenBlob, blob: Blob, signal: AbortSignal): Promise<void> {
  const chunks = verified(open, blob, signal);
  while ((await chunks.next()).done !== true);
}
