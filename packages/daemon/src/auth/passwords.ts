import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { type Claimant, FairQueue } from './fair-queue.ts';

/** Argon2id with 12 MiB and three passes: of what OWASP takes for equally strong, one that a flood makes cost little. */
const COST = { memory: 12_288, passes: 3, parallelism: 1 } as const;
const TAG_BYTES = 32;
const SALT_BYTES = 16;

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Checked when there is no such user, so that an unknown name costs as much as a wrong password. */
const NOBODY = phc(Buffer.alloc(SALT_BYTES), Buffer.alloc(TAG_BYTES));

/** Hashes passwords, a few at a time; all of an instance go through one of these. */
export class Passwords {
  readonly #queue = new FairQueue();

  /** @throws DavitError too_many_requests */
  hash(password: string, claimant: Claimant): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return this.#queue.run(claimant, async () => phc(salt, await derive(password, salt, COST, TAG_BYTES)));
  }

  /**
   * @param stored what `hash` made; undefined for a user there is not
   * @throws DavitError too_many_requests
   */
  verify(password: string, stored: string | undefined, claimant: Claimant): Promise<boolean> {
    const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(stored ?? NOBODY) ?? [];
    const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    const expected = Buffer.from(tag, 'base64');
    return this.#queue.run(claimant, async () => {
      const actual = await derive(password, Buffer.from(salt, 'base64'), cost, expected.length);
      return timingSafeEqual(actual, expected) && stored !== undefined;
    });
  }
}

/** Whether a hash was made at another cost than today's: it is made anew when its password is next seen. */
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

/** A password that nobody guesses, in letters that are told apart by eye: 20 of 31, some 99 bits. */
export function newAccountPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const pick = () => letters[randomInt(letters.length)];
  return Array.from({ length: 4 }, () => Array.from({ length: 5 }, pick).join('')).join('-');
}

/** The usual text form of an Argon2 hash, with its cost, so that the cost can be raised later. */
function phc(salt: Buffer, tag: Buffer): string {
  const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${plain(salt)}$${plain(tag)}`;
}
