/**
 * A PostgreSQL client that begins to sign in, and completes the sign-in only on request. The client implements
 * SCRAM-SHA-256 (RFC 5802).
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

interface Login {
  username: string;
  password: string;
  database: string;
}

/** Types of the server's messages: authentication, error, ready for a query. */
const [AUTHENTICATION, ERROR, READY] = ['R', 'E', 'Z'];
const PROTOCOL = 196_608;
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

export class SlowSignIn {
  readonly #socket: TLSSocket;
  readonly #first: string;
  readonly #challenge: string;
  readonly #password: string;
  /** Resolves when the server has closed the connection. */
  readonly ended: Promise<unknown>;

  private constructor(socket: TLSSocket, first: string, challenge: string, password: string) {
    this.#socket = socket;
    this.#first = first;
    this.#challenge = challenge;
    this.#password = password;
    this.ended = once(socket, 'close');
  }

  /** Connects, and returns when the server has read the password's verifier and waits for the client's proof. */
  static async begin(host: string, { username, password, database }: Login): Promise<SlowSignIn> {
    const socket = await encrypted(host);
    socket.on('error', () => undefined);
    socket.write(message('', Buffer.concat([int32(PROTOCOL), text('user', username, 'database', database, '')])));
    await next(socket, AUTHENTICATION);
    const first = `n=,r=${randomBytes(18).toString('base64')}`;
    const initial = Buffer.from(`n,,${first}`);
    socket.write(message('p', Buffer.concat([text('SCRAM-SHA-256'), int32(initial.length), initial])));
    const challenge = (await next(socket, AUTHENTICATION)).subarray(4).toString();
    return new SlowSignIn(socket, first, challenge, password);
  }

  /** Sends the proof. @returns whether the server has opened a session */
  async finish(): Promise<boolean> {
    const {
      r = '',
      s = '',
      i = '',
    } = Object.fromEntries(this.#challenge.split(',').map((part) => [part[0], part.slice(2)]));
    const salted = pbkdf2Sync(this.#password, Buffer.from(s, 'base64'), Number(i), 32, 'sha256');
    const hmac = (key: Buffer, of: string) => createHmac('sha256', key).update(of).digest();
    const key = hmac(salted, 'Client Key');
    const end = `c=biws,r=${r}`;
    const signature = hmac(createHash('sha256').update(key).digest(), `${this.#first},${this.#challenge},${end}`);
    const proof = Buffer.from(key.map((byte, at) => byte ^ (signature[at] ?? 0))).toString('base64');
    this.#socket.write(message('p', Buffer.from(`${end},p=${proof}`)));
    return next(this.#socket, READY).then(
      () => true,
      () => false,
    );
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

async function encrypted(host: string): Promise<TLSSocket> {
  const plain = connectPlain(5432, host);
  await once(plain, 'connect');
  plain.write(SSL_REQUEST);
  await once(plain, 'data');
  // Each database has a self-signed certificate, so the client cannot verify it.
  const socket = connectTls({ socket: plain, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return socket;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function text(...words: string[]): Buffer {
  return Buffer.from(words.map((word) => `${word}\0`).join(''));
}

function message(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

/**
 * Reads messages until a message has this type.
 * @returns the body of the message
 * @throws Error if the server refuses the sign-in or closes the connection
 */
function next(socket: TLSSocket, type: string | undefined): Promise<Buffer> {
  let rest = Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const stop = (act: () => void) => {
      socket.off('data', read).off('close', closed);
      act();
    };
    const closed = () => stop(() => reject(new Error('the server closed the connection')));
    const read = (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5) {
        const end = rest.readInt32BE(1) + 1;
        if (rest.length < end) return;
        const [kind, body] = [rest.toString('latin1', 0, 1), rest.subarray(5, end)];
        rest = rest.subarray(end);
        if (kind === ERROR) return stop(() => reject(new Error(body.toString())));
        if (kind === type) return stop(() => resolve(body));
      }
    };
    socket.on('data', read).on('close', closed);
    if (socket.destroyed) closed();
  });
}
