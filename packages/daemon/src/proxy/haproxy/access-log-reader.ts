/** Where the proxy's lines arrive: a socket in its folder, at which it calls again whenever nobody was there. */
import { chmod, chown, mkdir, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccessLine, AccessLog } from '../access-log.ts';
import { ACCESS_SOCKET, parseAccessLine } from './access-log.ts';

type Take = (lines: readonly AccessLine[]) => void;

/** Two workers and their successors at a reload, and room for what has not noticed its end. */
const MOST_CONNECTIONS = 16;
/**
 * Where little has come, more is waited for: to read each line as it comes takes several times the processor time. It
 * waits in the kernel, which has room for a hundred lines; then the proxy waits, whose ring must not fill.
 */
const WAIT_MS = 20;
const LITTLE_BYTES = 6_000;
/** For as long after a full kernel nothing is waited for: the proxy has more. */
const BUSY_MS = 200;
/** A host name is the longest that is in a line. */
const LONGEST_LINE = 4_096;

/** @param dataDir the proxy's folder is in it
 * @param workerId the user that the proxy works as */
export function createAccessLogReader(dataDir: string, workerId: number): AccessLog {
  return new AccessLogReader(join(dataDir, 'proxy'), workerId);
}

class AccessLogReader implements AccessLog {
  readonly #folder: string;
  readonly #workerId: number;
  readonly #connections = new Set<Socket>();
  #server: Server | null = null;
  #isEnding = false;

  constructor(folder: string, workerId: number) {
    this.#folder = folder;
    this.#workerId = workerId;
  }

  async start(take: Take): Promise<void> {
    this.#isEnding = false;
    const path = join(this.#folder, ACCESS_SOCKET);
    await mkdir(this.#folder, { recursive: true });
    // What a killed daemon left behind.
    await rm(path, { force: true });
    const server = createServer((socket) => this.#read(socket, take));
    server.maxConnections = MOST_CONNECTIONS;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject);
    server.listen(path, resolve);
    await promise;
    server.off('error', reject);
    this.#server = server;
    await this.#giveAway(path);
  }

  /** What has arrived is taken; what comes after, the proxy keeps. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    for (const socket of this.#connections) socket.resume();
    if (this.#connections.size > 0) await delay(2 * WAIT_MS);
    for (const socket of this.#connections) socket.destroy();
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    await promise;
  }

  /** The worker writes to it; what other users of the machine wrote would be believed. */
  async #giveAway(path: string): Promise<void> {
    if (process.getuid?.() === 0) {
      await chown(path, this.#workerId, this.#workerId);
      await chmod(path, 0o600);
    } else {
      // Only root gives a file away. The data directory, which is closed to others, is above.
      await chmod(path, 0o666);
    }
  }

  #read(socket: Socket, take: Take): void {
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
      const lines = texts.map(parseAccessLine).filter((line) => line !== null);
      if (lines.length > 0) take(lines);
      const now = performance.now();
      if (chunk.length >= LITTLE_BYTES) busyUntil = now + BUSY_MS;
      if (this.#isEnding || now < busyUntil) return;
      socket.pause();
      setTimeout(() => socket.resume(), WAIT_MS).unref();
    });
  }
}
