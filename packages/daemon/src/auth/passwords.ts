import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { type Claimant, FairQueue } from './fair-queue.ts';

/**
 * Cost of an Argon2id hash: 12 MiB of memory and three iterations, as OWASP recommends. With this cost, many concurrent
 * sign-ins need little memory.
 */
const COST = { memory: 12_288, passes: 3, parallelism: 1 } as const;
const TAG_BYTES = 32;
const SALT_BYTES = 16;

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * Password hash for a sign-in with an unknown user name. Davit verifies the password with this hash, so that the
 * response takes as long as for a wrong password.
 */
const UNKNOWN_USER_HASH = phc(Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES));

/**
 * Hashes and verifies passwords, but only a few passwords at the same time. A daemon must create only one object of
 * this class, because each object has its own limit.
 */
export class Passwords {
  readonly #queue = new FairQueue();

  /**
   * Hashes a password.
   * @throws DavitError too_many_requests if too many requests already wait for a password hash
   */
  hash(password: string, claimant: Claimant): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return this.#queue.run(claimant, async () => phc(salt, await derive(password, salt, COST, TAG_BYTES)));
  }

  /**
   * Verifies a password.
   * @param stored stored hash of the password, or `undefined` for an unknown user
   * @throws DavitError too_many_requests if too many requests already wait for a password hash
   */
  verify(password: string, stored: string | undefined, claimant: Claimant): Promise<boolean> {
    const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(stored ?? UNKNOWN_USER_HASH) ?? [];
    const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    const expected = Buffer.from(tag, 'base64');
    return this.#queue.run(claimant, async () => {
      const actual = await derive(password, Buffer.from(salt, 'base64'), cost, expected.length);
      return timingSafeEqual(actual, expected) && stored !== undefined;
    });
  }
}

/**
 * Returns whether a stored password hash has a different cost than new hashes. The next sign-in then replaces the
 * stored hash.
 */
export function isOutdated(stored: string): boolean {
  const [, ...cost] = PHC.exec(stored) ?? [];
  return [COST.memory, COST.passes, COST.parallelism].some((value, i) => String(value) !== cost[i]);
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

/**
 * Creates a random password with 20 characters in four groups. 31 easily distinguishable characters give about 99 bits
 * of entropy.
 */
export function newAccountPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const pick = () => letters[randomInt(letters.length)];
  return Array.from({ length: 4 }, () => Array.from({ length: 5 }, pick).join('')).join('-');
}

/**
 * Returns an Argon2 hash in the PHC format. The PHC format contains the cost, so that Davit can later increase the cost
 * of new hashes.
 */
function phc(salt: Buffer, tag: Buffer): string {
  const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${plain(salt)}$${plain(tag)}`;
}
