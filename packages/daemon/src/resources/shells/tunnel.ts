/** TCP connections to a container over a WebSocket. A connection is handled like the program of a shell. */
import type { Duplex } from 'node:stream';
import type { ShellOutput, ShellProgram } from './program.ts';

/** Time in milliseconds without data in both directions after which Davit closes a connection. */
const IDLE_MS = 15 * 60_000;

/**
 * Wraps a TCP connection. Data flows only as fast as its receiver accepts it, and each side can end its own direction.
 * @param idleMs time without data after which the connection is closed
 */
export function tunnelThrough(connection: Duplex, idleMs = IDLE_MS): ShellProgram {
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
  // The connection may have closed before the caller got it.
  if (connection.closed) onClosed();
  else connection.once('close', onClosed);
  const idle = new AbortController();
  const timer = setTimeout(() => {
    idle.abort();
    connection.destroy();
  }, idleMs).unref();
  void closed.then(() => clearTimeout(timer));
  return {
    output: read(connection, timer, idle.signal),
    exited: closed.then(() => null),
    async write(bytes) {
      timer.refresh();
      const { promise, resolve } = Promise.withResolvers<void>();
      // Ignores write errors, because a broken connection closes anyway.
      if (connection.writable) connection.write(bytes, () => resolve());
      else resolve();
      await promise;
    },
    endInput: () => connection.end(),
    // A connection has no size.
    resize: async () => undefined,
    async [Symbol.asyncDispose]() {
      connection.destroy();
      await closed;
    },
  };
}

/** Yields the data from the container, and then that it ended its direction. */
async function* read(connection: Duplex, timer: NodeJS.Timeout, idle: AbortSignal): AsyncGenerator<ShellOutput> {
  try {
    // By default, the end of the data would also close the other direction.
    for await (const bytes of connection.iterator({ destroyOnReturn: false })) {
      timer.refresh();
      yield bytes as Buffer;
    }
    yield { end: true };
  } catch (error) {
    if (!idle.aborted) throw error;
  }
}
