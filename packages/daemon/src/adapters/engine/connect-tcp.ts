import { connect, type Socket } from 'node:net';
import { EngineRefused } from './errors.ts';

/** Maximum time in milliseconds to open a TCP connection to a container. */
const CONNECT_MS = 10_000;

/**
 * Opens a TCP connection. Each side can close its own sending direction. If the signal aborts, the connection is
 * closed.
 * @throws EngineRefused if the connection is not accepted within 10 seconds
 */
export async function connectTcp(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  // Without this check, `connect` would ignore a signal that is already aborted, and the socket would stay open.
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ host, port, signal, allowHalfOpen: true, noDelay: true });
  // The error listener stays after the connection is open. A socket error without a listener would crash the daemon.
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
