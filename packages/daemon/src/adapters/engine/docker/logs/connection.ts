/**
 * A connection over which one answer of the engine is read as bare bytes. A busy log is tens of thousands of small
 * pieces a second: taken through the HTTP client each costs an allocation of 64 KiB and a chunk's framing. Here all of
 * them arrive in one piece of memory, and the answer is asked for in HTTP/1.0, which has no chunks.
 */
import { connect, type Socket } from 'node:net';
import { parseDockerHost } from '../client/client.ts';
import { EngineAnswer, timedOut, translate } from '../client/errors.ts';

/** For every connection: what arrives is taken before the next one reads. */
const ARRIVAL = Buffer.alloc(64 * 1024);
const HEAD_MS = 30_000;
const MOST_HEAD_BYTES = 16 * 1024;

export interface LogConnectionOptions {
  /** Of the engine, in the form of DOCKER_HOST. */
  address: string;
  /** With its query. */
  path: string;
  /** Takes bytes that are gone when it returns; false: no more for now. */
  onBytes: (bytes: Buffer) => boolean;
}

export class LogConnection {
  readonly #socket: Socket;
  readonly #options: LogConnectionOptions;
  readonly #over = Promise.withResolvers<void>();
  readonly #deadline: NodeJS.Timeout;
  #head = '';
  /** Null: the head is still coming. */
  #status: number | null = null;
  #refusal = '';

  constructor(options: LogConnectionOptions) {
    this.#options = options;
    const { address, path } = options;
    const onread = { buffer: ARRIVAL, callback: (length: number, bytes: Uint8Array) => this.#arrived(bytes, length) };
    const { target } = parseDockerHost(address);
    this.#socket = connect({ ...('socketPath' in target ? { path: target.socketPath } : target), onread });
    this.#socket.write(`GET ${path} HTTP/1.0\r\nHost: docker\r\n\r\n`);
    this.#deadline = setTimeout(() => this.close(timedOut('read logs', address, HEAD_MS)), HEAD_MS).unref();
    this.#socket.on('error', (error) => this.#over.reject(error));
    this.#socket.on('close', () => this.#ended());
    // Whoever waits for the end sees it.
    this.#over.promise.catch(() => undefined);
  }

  /** Resolves when all was read. @throws what the engine said instead, or why the connection broke */
  get over(): Promise<void> {
    return this.#over.promise.catch((error) => {
      throw translate(error, 'read logs', this.#options.address);
    });
  }

  /** Goes on after `onBytes` answered false. */
  resume(): void {
    this.#socket.resume();
  }

  /** @param error what `over` rejects with; absent: it resolves */
  close(error?: Error): void {
    if (error) this.#over.reject(error);
    this.#socket.destroy();
  }

  #arrived(buffer: Uint8Array, length: number): boolean {
    const bytes = Buffer.from(buffer.buffer, buffer.byteOffset, length);
    if (this.#status === null) return this.#readHead(bytes);
    if (this.#status === 200) return this.#options.onBytes(bytes);
    if (this.#refusal.length < MOST_HEAD_BYTES) this.#refusal += bytes.toString();
    return true;
  }

  #readHead(bytes: Buffer): boolean {
    this.#head += bytes.toString('latin1');
    const end = this.#head.indexOf('\r\n\r\n');
    if (end < 0) {
      if (this.#head.length > MOST_HEAD_BYTES) this.close(new Error('it is no answer of an engine'));
      return true;
    }
    clearTimeout(this.#deadline);
    this.#status = Number(/^HTTP\/1\.\d (\d{3})/.exec(this.#head)?.[1] ?? 0);
    const rest = Buffer.from(this.#head.slice(end + 4), 'latin1');
    this.#head = '';
    return rest.length === 0 || this.#arrived(rest, rest.length);
  }

  #ended(): void {
    clearTimeout(this.#deadline);
    if (this.#status === 200) this.#over.resolve();
    else if (this.#status === null) this.#over.reject(new Error('it was closed before an answer'));
    else this.#over.reject(new EngineAnswer(this.#status, this.#refusal));
  }
}
