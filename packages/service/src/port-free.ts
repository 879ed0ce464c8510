import { createServer } from 'node:net';

/** Returns whether this process could listen on a TCP port now. */
export function isPortFree(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  return promise;
}
