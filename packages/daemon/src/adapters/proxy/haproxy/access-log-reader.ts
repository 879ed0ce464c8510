/**
 * Receives the proxy's lines on a port of the loopback address. If the port was closed, the proxy connects again later.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccessLine, AccessListener, AccessLog, AccessStand } from '../access-log.ts';
import { type AccessLogTarget, parseAccessLine } from './access-log.ts';

/**
 * Maximum number of connections: a connection of the worker, connections of replaced workers, and connections that have
 * not noticed their end.
 */
const MOST_CONNECTIONS = 16;
/**
 * Time in milliseconds to wait after a small amount of data. Reading each line at its arrival would take several times
 * the processor time. The data waits in the kernel. If the kernel's buffer is full, the data waits in the proxy, whose
 * ring must not fill.
 */
const WAIT_MS = 20;
const LITTLE_BYTES = 6_000;
/** Time in milliseconds without waiting after a large amount of data, because the proxy probably has more. */
const BUSY_MS = 200;
/** Maximum length of a line. The longest part of a line is the host name. */
const LONGEST_LINE = 4_096;

export function createAccessLogReader(target: AccessLogTarget): AccessLog & Pick<AccessListener, 'settle'> {
  return new AccessLogReader(target);
}

class AccessLogReader implements AccessLog {
  readonly #port: number;
  readonly #begin: string;
  readonly #connections = new Set<Socket>();
  #server: Server | null = null;
  #listener: AccessListener | null = null;
  #isEnding = false;

  constructor({ port, token }: AccessLogTarget) {
    this.#port = port;
    this.#begin = `${token} `;
  }

  async start(listener: AccessListener): Promise<void> {
    this.#isEnding = false;
    this.#listener = listener;
    // With a larger value, Node.js would read ahead during a pause, in parts of a line. Each part would cause another
    // pause.
    const server = createServer({ highWaterMark: 1 }, (socket) => this.#read(socket, listener));
    server.maxConnections = MOST_CONNECTIONS;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject);
    server.listen(this.#port, '127.0.0.1', resolve);
    await promise;
    server.off('error', reject);
    this.#server = server;
  }

  /** Passes on the counters of a process that ends. */
  settle(stands: readonly AccessStand[]): void {
    this.#listener?.settle(stands);
  }

  /** Stops the reader after it has passed on all data that has arrived. The proxy buffers later lines. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    for (const socket of this.#connections) socket.resume();
    if (this.#connections.size > 0) await delay(2 * WAIT_MS);
    for (const socket of this.#connections) socket.destroy();
    const server = this.#server;
    this.#server = null;
    this.#listener = null;
    if (server === null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    await promise;
  }

  #read(socket: Socket, listener: AccessListener): void {
    let rest = '';
    let busyUntil = 0;
    this.#connections.add(socket);
    socket.setEncoding('latin1');
    socket.on('close', () => this.#connections.delete(socket));
    // The proxy has ended or is being replaced. The running proxy process connects again.
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: string) => {
      const texts = (rest + chunk).split('\n');
      rest = texts.pop() ?? '';
      if (rest.length > LONGEST_LINE) rest = '';
      const lines = texts.map((text) => this.#lineOf(text)).filter((line) => line !== null);
      if (lines.length > 0) listener.take(lines);
      const now = performance.now();
      if (chunk.length >= LITTLE_BYTES) busyUntil = now + BUSY_MS;
      if (this.#isEnding || now < busyUntil) return;
      socket.pause();
      setTimeout(() => socket.resume(), WAIT_MS).unref();
    });
  }

  #lineOf(text: string): AccessLine | null {
    return text.startsWith(this.#begin) ? parseAccessLine(text.slice(this.#begin.length)) : null;
  }
}
