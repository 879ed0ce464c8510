/**
 * HTTP connection for one log request to Docker. All chunks use one shared buffer, because Node.js's HTTP client would
 * allocate 64 KiB for each small chunk.
 */
import { connect, type Socket } from 'node:net';
import { parseDockerHost } from '../client/client.ts';
import { EngineAnswer, timedOut, translate } from '../client/errors.ts';

/**
 * Receive buffer that all log connections share. The next read overwrites the buffer, so the received bytes must be
 * processed first.
 */
const ARRIVAL = Buffer.alloc(64 * 1024);
const HEAD_MS = 30_000;
const MOST_HEAD_BYTES = 16 * 1024;

export interface LogConnectionOptions {
  /** Address of Docker in the format of the variable DOCKER_HOST. */
  address: string;
  path: string;
  /**
   * Callback that receives log data. The bytes must not be used after the call, because the next data overwrites them.
   * The return value `false` pauses the connection.
   */
  onBytes: (bytes: Buffer) => boolean;
}

export class LogConnection {
  readonly #socket: Socket;
  readonly #options: LogConnectionOptions;
  readonly #over = Promise.withResolvers<void>();
  readonly #deadline: NodeJS.Timeout;
  #head = '';
  /** HTTP status of Docker's log response, or `null` until all response headers have arrived. */
  #status: number | null = null;
  #refusal = '';

  constructor(options: LogConnectionOptions) {
    this.#options = options;
    const { address, path } = options;
    const onread = { buffer: ARRIVAL, callback: (length: number, bytes: Uint8Array) => this.#arrived(bytes, length) };
    const { target } = parseDockerHost(address);
    this.#socket = connect({ ...('socketPath' in target ? { path: target.socketPath } : target), onread });
    // The request uses HTTP/1.0, because this connection does not support the chunked encoding of HTTP/1.1.
    this.#socket.write(`GET ${path} HTTP/1.0\r\nHost: docker\r\n\r\n`);
    this.#deadline = setTimeout(() => this.close(timedOut('read logs', address, HEAD_MS)), HEAD_MS).unref();
    this.#socket.on('error', (error) => this.#over.reject(error));
    this.#socket.on('close', () => this.#ended());
    /*
     * Handles the error even if no caller waits for the end of the connection. Otherwise, the error would become an
     * unhandled rejection.
     */
    this.#over.promise.catch(() => undefined);
  }

  /**
   * Resolves when Docker's whole log response was read.
   * @throws the error response of Docker, or the reason why the connection broke
   */
  get over(): Promise<void> {
    return this.#over.promise.catch((error) => {
      throw translate(error, 'read logs', this.#options.address);
    });
  }

  /** Resumes the log connection after `onBytes` paused it. */
  resume(): void {
    this.#socket.resume();
  }

  /** @param error error with which `over` rejects; if omitted, `over` resolves */
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
      if (this.#head.length > MOST_HEAD_BYTES)
        this.close(new Error('the HTTP headers of Docker’s response are too long'));
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
    else if (this.#status === null) this.#over.reject(new Error('the connection was closed before a response'));
    else this.#over.reject(new EngineAnswer(this.#status, this.#refusal));
  }
}
