/** Where the proxy's lines arrive: a port of the loopback address, at which it calls again when nobody was there. */
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccessLine, AccessListener, AccessLog, AccessStand } from '../access-log.ts';
import { type AccessLogTarget, parseAccessLine } from './access-log.ts';

/** A worker, those that it replaced, and room for what has not noticed its end. */
const MOST_CONNECTIONS = 16;
/**
 * Where little has come, more is waited for: to read each line as it comes takes several times the processor time. It
 * waits in the kernel; then the proxy waits, whose ring must not fill.
 */
const WAIT_MS = 20;
const LITTLE_BYTES = 6_000;
/** For as long after much has come nothing is waited for: the proxy has more. */
const BUSY_MS = 200;
/** A host name is the longest that is in a line. */
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
    // More would be read ahead while it waits, in pieces of a line, of which each had a wait of its own.
    const server = createServer({ highWaterMark: 1 }, (socket) => this.#read(socket, listener));
    server.maxConnections = MOST_CONNECTIONS;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject);
    server.listen(this.#port, '127.0.0.1', resolve);
    await promise;
    server.off('error', reject);
    this.#server = server;
  }

  /** What the proxy said of a process that ends. */
  settle(stands: readonly AccessStand[]): void {
    this.#listener?.settle(stands);
  }

  /** What has arrived is taken; what comes after, the proxy keeps. */
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
    // The proxy ended, or is being replaced: it calls again.
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
