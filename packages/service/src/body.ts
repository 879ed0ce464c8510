import type { IncomingMessage } from 'node:http';

/** The client left before its request was whole: nobody is there to be answered. */
export class ClientGone extends Error {
  override name = 'ClientGone';
}

/**
 * Reads a request's body, refusing it as soon as it is known to be too large.
 * @param limit in bytes
 * @param tooLarge makes what is thrown then
 * @throws ClientGone; what `tooLarge` makes
 */
export async function readBody(
  incoming: IncomingMessage,
  limit: number,
  tooLarge: (limit: number) => Error,
): Promise<Buffer> {
  if (Number(incoming.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) reject(tooLarge(limit));
    else chunks.push(chunk);
  };
  const onEnd = () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
  const onGone = () => reject(new ClientGone());
  incoming.on('data', onData).once('end', onEnd).once('error', onGone).once('close', onGone);
  try {
    return await promise;
  } finally {
    incoming.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
    // What is left of it is thrown away by the listener, within a bound, so that the answer can be read.
    if (size > limit) incoming.pause();
  }
}
