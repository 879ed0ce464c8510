/** TCP connections to a container over a WebSocket. A connection has the same interface as the program of a shell. */
import type { Duplex } from 'node:stream';
import type { ShellOutput, ShellProgram } from './program.ts';

/** Time in milliseconds without data in both directions after which Davit closes a connection. */
const IDLE_MS = 15 * 60_000;

/**
 * Wraps a TCP connection. Data flows only as fast as its receiver accepts it. Each side can stop sending and still
 * receive data.
 * @param idleMs time without data after which the connection is closed
 */
export function tunnelThrough(connection: Duplex, idleMs = IDLE_MS): ShellProgram {
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
  // A connection that is already closed emits no `close` event.
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
    // Ignore the terminal size, because a TCP connection has no terminal.
    resize: async () => undefined,
    async [Symbol.asyncDispose]() {
      connection.destroy();
      await closed;
    },
  };
}

/** Yields the data from the container. Yields `{ end: true }` when the container stops sending. */
async function* read(connection: Duplex, timer: NodeJS.Timeout, idle: AbortSignal): AsyncGenerator<ShellOutput> {
  try {
    // Without this option, the end of the container's data would close the connection for the client's data too.
    for await (const bytes of connection.iterator({ destroyOnReturn: false })) {
      timer.refresh();
      yield bytes as Buffer;
    }
    yield { end: true };
  } catch (error) {
    if (!idle.aborted) throw error;
  }
}
