import { connect, type Socket } from 'node:net';
import { EngineRefused } from './errors.ts';

/** Maximum time in milliseconds until a TCP connection to a container is open. */
const CONNECT_MS = 10_000;

/**
 * Opens a TCP connection. Each side can end its own direction. An abort closes the connection, also when it is open.
 * @throws EngineRefused if nothing accepts the connection within 10 seconds
 */
export async function connectTcp(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  // `connect` would ignore a signal that is already aborted, and the socket would stay open.
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host, port, signal, allowHalfOpen: true, noDelay: true });
  // This listener stays, because an error of the open connection without a listener would crash the daemon.
  socket.on('error', reject).once('connect', resolve);
  const timer = setTimeout(() => socket.destroy(new Error(`no connection within ${CONNECT_MS} ms`)), CONNECT_MS);
  try {
    await promise;
    return socket;
  } catch (cause) {
    signal.throwIfAborted();
    throw new EngineRefused(`No program in the container accepts connections on port ${port}.`, { cause });
  } finally {
    clearTimeout(timer);
  }
}
