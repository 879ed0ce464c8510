/** Functions that make an HTTP server listen on a TCP port or on a private Unix socket file. */
import { once } from 'node:events';
import { chmod, unlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';

/** Maximum length of a Unix socket path in bytes. Node would truncate a longer path and listen on the wrong path. */
export const LONGEST_SOCKET_PATH = 107;

/**
 * Maximum number of connections that the kernel queues for a listening socket. If the queue is full, the kernel of the
 * client tries to connect again after one, three and seven seconds.
 */
const BACKLOG = 4_096;

/**
 * Checks that a TCP port is free.
 * @throws Error EADDRINUSE if another socket listens on the port, even with `SO_REUSEPORT`
 */
export async function demandFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  await listening(probe, { host, port });
  const closed = once(probe, 'close');
  probe.close();
  await closed;
}

/** Listens on a Unix socket file with the permissions 0600. An existing file is replaced. */
export async function listenOnFile(server: Server, path: string): Promise<void> {
  if (Buffer.byteLength(path) > LONGEST_SOCKET_PATH) {
    const rule = `at most ${LONGEST_SOCKET_PATH} bytes`;
    throw new Error(
      `The path ${path} is too long for a socket (${rule}). Choose a data directory with a shorter path.`,
    );
  }
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new Error(`replace ${path}: ${error.message}`, { cause: error });
  });
  // Set the umask. Otherwise, other users could connect to the socket between `bind` and `chmod`.
  const mask = process.umask(0o177);
  try {
    await listening(server, { path });
  } finally {
    process.umask(mask);
  }
  await chmod(path, 0o600);
}

type Where = { host: string; port: number; reusePort?: boolean } | { path: string };

/** Makes a server listen. Resolves when the server accepts connections. */
export function listening(server: Server, where: Where): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ ...where, backlog: BACKLOG }, () => {
    server.off('error', reject);
    resolve();
  });
  return promise;
}
