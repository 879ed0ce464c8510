/**
 * Receives access log lines from HAProxy on a TCP port of the loopback address. After an interruption, HAProxy connects
 * again.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccessLine, AccessListener, AccessLog, AccessStand } from '../access-log.ts';
import { type AccessLogTarget, parseAccessLine } from './access-log.ts';

/**
 * Maximum number of connections to the access log port. Each HAProxy worker needs one connection, and two workers run
 * during a reload. The operating system needs some time to remove closed connections.
 */
const MOST_CONNECTIONS = 16;
/**
 * Pause in milliseconds after a small read. The next read then returns many lines, which saves CPU time. During a
 * longer pause, HAProxy's buffer could overflow.
 */
const WAIT_MS = 20;
const LITTLE_BYTES = 6_000;
/**
 * Time in milliseconds without read pauses after a large read. After a large read, HAProxy probably has more lines to
 * send.
 */
const BUSY_MS = 200;
/** Maximum length of an access log line in characters. Even lines with a long host name are shorter. */
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
    /*
     * With a larger `highWaterMark`, Node.js would read a small chunk during each pause. The reader would then receive
     * only this small chunk and pause again.
     */
    const server = createServer({ highWaterMark: 1 }, (socket) => this.#read(socket, listener));
    server.maxConnections = MOST_CONNECTIONS;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject);
    server.listen(this.#port, '127.0.0.1', resolve);
    await promise;
    server.off('error', reject);
    this.#server = server;
  }

  /**
   * Passes the final request counters of an HAProxy process to the access log listener. This method is called shortly
   * before the process exits.
   */
  settle(stands: readonly AccessStand[]): void {
    this.#listener?.settle(stands);
  }

  /** Stops the access log reader. Lines that have already arrived are still processed. HAProxy buffers later lines. */
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
    /*
     * A socket error means that the HAProxy worker has exited or is being replaced. The new worker opens its own
     * connection.
     */
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
