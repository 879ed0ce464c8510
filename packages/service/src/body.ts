import type { IncomingMessage } from 'node:http';

/** Error that is thrown if the HTTP client closed the connection before the server had read the complete request. */
export class ClientGone extends Error {
  override name = 'ClientGone';
}

/**
 * Reads the body of an HTTP request.
 * @param limit maximum size in bytes
 * @throws ClientGone; the error of `tooLarge` for a larger body
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
    /*
     * Keep the connection open, so that the client receives the error. The HTTP listener handles the rest of the
     * request body.
     */
    if (size > limit) incoming.pause();
  }
}
