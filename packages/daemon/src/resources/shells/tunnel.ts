/**
 * TCP connections to a container over a WebSocket. A TCP connection has the same interface as the program of a shell.
 */
import type { Duplex } from 'node:stream';
import type { ShellOutput, ShellProgram } from './program.ts';

/** Idle timeout in milliseconds. If no data flows in either direction for this time, Davit closes the connection. */
const IDLE_MS = 15 * 60_000;

/**
 * Wraps a TCP connection. Data is sent only as fast as the receiver reads it. Each side can stop sending and still
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
      // Ignore write errors, because a broken connection closes anyway.
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

/** Generates the data that the container sends. Generates `{ end: true }` when the container stops sending. */
async function* read(connection: Duplex, timer: NodeJS.Timeout, idle: AbortSignal): AsyncGenerator<ShellOutput> {
  try {
    // Without this option, the end of the container's data would also prevent the client from sending data.
    for await (const bytes of connection.iterator({ destroyOnReturn: false })) {
      timer.refresh();
      yield bytes as Buffer;
    }
    yield { end: true };
  } catch (error) {
    if (!idle.aborted) throw error;
  }
}
