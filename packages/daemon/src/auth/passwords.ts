import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { DavitError } from '@davit/api';

/** Argon2id with 46 MiB and one pass: what OWASP takes as its floor. */
const COST = { memory: 47_104, passes: 1, parallelism: 1 } as const;
const TAG_BYTES = 32;
const SALT_BYTES = 16;

/** More at a time would not be faster on two cores, and would take memory and threads from everything else. */
const AT_ONCE = 2;
const WAITING = 20;

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Checked when there is no such user, so that an unknown name costs as much as a wrong password. */
const NOBODY = phc(Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES));

/** Hashes passwords, two at a time; a short queue waits, and who comes after that is sent away. */
export class Passwords {
  readonly #queue: (() => void)[] = [];
  #running = 0;

  /** @throws DavitError too_many_requests */
  hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return this.#queued(async () => phc(salt, await derive(password, salt, COST, TAG_BYTES)));
  }

  /**
   * @param stored what `hash` made; undefined for a user there is not
   * @throws DavitError too_many_requests
   */
  verify(password: string, stored: string | undefined): Promise<boolean> {
    const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(stored ?? NOBODY) ?? [];
    const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    const expected = Buffer.from(tag, 'base64');
    return this.#queued(async () => {
      const actual = await derive(password, Buffer.from(salt, 'base64'), cost, expected.length);
      return timingSafeEqual(actual, expected) && stored !== undefined;
    });
  }

  async #queued<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) {
      if (this.#queue.length >= WAITING) {
        const message = 'Too many sign-ins at this moment: try again in a second.';
        throw new DavitError('too_many_requests', message, { retryAfterS: 1 });
      }
      // Whoever ends hands its place over, so the count stays as it is.
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

interface Cost {
  memory: number;
  passes: number;
  parallelism: number;
}

function derive(password: string, salt: Buffer, cost: Cost, tagLength: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  argon2('argon2id', { message: Buffer.from(password), nonce: salt, tagLength, ...cost }, (error, tag) =>
    error ? reject(new Error('hash password', { cause: error })) : resolve(tag),
  );
  return promise;
}

/** The usual text form of an Argon2 hash, with its cost, so that the cost can be raised later. */
function phc(salt: Buffer, tag: Buffer): string {
  const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${plain(salt)}$${plain(tag)}`;
}
