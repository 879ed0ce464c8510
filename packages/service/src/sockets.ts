/** How a server comes to listen: at an address that nobody else has, or on a file that nobody else may use. */
import { once } from 'node:events';
import { chmod, unlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';

/** Bytes that the kernel takes; Node cuts a longer path and listens somewhere else. */
export const LONGEST_SOCKET_PATH = 107;

/** Connections that wait to be taken: one too many is tried again by the kernel after a second, then three, then seven. */
const BACKLOG = 4_096;

/** @throws Error EADDRINUSE when something listens there, whether it would share the address or not */
export async function demandFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  await listening(probe, { host, port });
  const closed = once(probe, 'close');
  probe.close();
  await closed;
}

/** Listens on a socket file that only its owner can use, in place of what is there. */
export async function listenOnFile(server: Server, path: string): Promise<void> {
  if (Buffer.byteLength(path) > LONGEST_SOCKET_PATH) {
    const rule = `at most ${LONGEST_SOCKET_PATH} bytes`;
    throw new Error(`The path ${path} is too long for a socket (${rule}): choose a shorter data directory.`);
  }
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new Error(`replace ${path}: ${error.message}`, { cause: error });
  });
  // Bound under a tight mask: between bind and chmod nobody else could connect either.
  const mask = process.umask(0o177);
  try {
    await listening(server, { path });
  } finally {
    process.umask(mask);
  }
  await chmod(path, 0o600);
}

type Where = { host: string; port: number; reusePort?: boolean } | { path: string };

/** Resolves when a server listens. */
export function listening(server: Server, where: Where): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ ...where, backlog: BACKLOG }, () => {
    server.off('error', reject);
    resolve();
  });
  return promise;
}
