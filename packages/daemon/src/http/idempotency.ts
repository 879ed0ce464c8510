/**
 * Requests that may be sent again. A POST with an `Idempotency-Key` is carried out once, and answered the same for a day.
 *
 * The key is taken in the transaction of the change itself, so that no crash can come between the two: after one, the
 * key is taken if and only if the change was made. Writing the answer down is a second transaction; when that is lost,
 * the same request is refused with a sentence that says to look instead of being carried out again. What changed nothing
 * takes no key: it is judged anew.
 */
import { createHash } from 'node:crypto';
import { DavitError, type ErrorCode, type FieldProblem, invalidField, type QuotaRefusal } from '@davit/api';
import type { Logger } from '@davit/service';
import { isRestricted } from '../auth/context.ts';
import type { Sealer } from '../db/seal.ts';
import type { Store } from '../db/store.ts';
import type { TrailEntry } from '../db/tables/audit-trail.ts';
import {
  KEYS_KEPT_MS,
  type KeyedAnswer,
  type KeyedRequest,
  keyedAnswer,
  writeKeyedAnswer,
} from '../db/tables/idempotency.ts';
import type { Reply } from './bind.ts';
import type { Exchange } from './exchange.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;
/** A longer answer is not kept; in characters. */
const LONGEST_ANSWER = 1024 * 1024;

export interface IdempotencyParts {
  store: Store;
  sealer: Sealer;
  now: () => number;
  log: Logger;
}

/** What is kept of an answer, or of the refusal that came after a change. */
interface Kept {
  body?: unknown;
  location?: string;
  error?: { code: ErrorCode; message: string; fields?: readonly FieldProblem[]; quota?: QuotaRefusal };
}

export class Idempotency {
  readonly #parts: IdempotencyParts;
  /** The requests that are being worked on, with the hash of what each asks. */
  readonly #running = new Map<string, string>();

  constructor(parts: IdempotencyParts) {
    this.#parts = parts;
  }

  /**
   * Carries out a request, or answers it as before when it has a key that was used.
   * @throws DavitError invalid_input for what is no key; idempotency_mismatch for one of another request; conflict
   * while the first is being worked on, and when its answer was lost
   */
  async carryOut(exchange: Exchange, work: () => Reply | Promise<Reply>): Promise<Reply> {
    const key = keyOf(exchange);
    if (key === undefined) return work();
    const request = { caller: callerOf(exchange), route: exchange.path, key };
    const hash = hashOf(exchange);
    const id = placeOf(request);
    const known = this.#known(request, id);
    if (known) {
      if (known.body_hash !== hash) throw new DavitError('idempotency_mismatch');
      if (known.status !== null) {
        exchange.isReplayed = true;
        return this.#again(known.status, known.answer ?? '', id);
      }
      throw this.#running.has(id) ? inProgress() : lost();
    }
    this.#running.set(id, hash);
    // Whoever sends a key will ask again: its going away is no reason to leave off, and the answer is kept for it.
    exchange.outlivesCaller = true;
    try {
      return await this.#first(request, hash, work);
    } finally {
      this.#running.delete(id);
    }
  }

  #known(request: KeyedRequest, id: string): KeyedAnswer | undefined {
    const { store, now } = this.#parts;
    const known = keyedAnswer(store, request, now() - KEYS_KEPT_MS);
    const running = this.#running.get(id);
    return known ?? (running === undefined ? undefined : { body_hash: running, at: 0, status: null, answer: null });
  }

  async #first(request: KeyedRequest, hash: string, work: () => Reply | Promise<Reply>): Promise<Reply> {
    const { store, now } = this.#parts;
    const taken: TrailEntry = {
      written: false,
      write: (tx) => writeKeyedAnswer(tx, request, { body_hash: hash, at: now(), status: null, answer: null }),
    };
    let reply: Reply;
    try {
      reply = await store.trail.during(taken, work);
    } catch (error) {
      // Refused after a change was made: that is the answer. Refused before: there is nothing to keep.
      if (taken.written && error instanceof DavitError && error.status < 500 && error.status !== 429) {
        const { code, message, status, fields, quota } = error;
        this.#keep(request, hash, status, { error: { code, message, fields, ...(quota && { quota }) } });
      }
      throw error;
    }
    // What is told live cannot be told again, nor shall it be carried out again.
    if (reply.events !== undefined) return { ...reply, events: this.#live(reply.events, taken) };
    // What changed nothing (a dry run) may be asked again as often as one likes, and would only fill the disk.
    if (reply.status < 500 && taken.written) {
      const location = reply.headers?.location;
      this.#keep(request, hash, reply.status, { body: reply.body, ...(location !== undefined && { location }) });
    }
    return reply;
  }

  /** It begins when it is read: what it changes then takes the key. */
  #live(events: NonNullable<Reply['events']>, taken: TrailEntry): NonNullable<Reply['events']> {
    const { trail } = this.#parts.store;
    return (signal) => ({
      [Symbol.asyncIterator]: () => {
        const source = events(signal)[Symbol.asyncIterator]();
        return {
          next: () => trail.during(taken, () => source.next()),
          return: async () => (await source.return?.()) ?? { done: true, value: undefined },
        };
      },
    });
  }

  /** Its failure must not turn a change that was made into an error: it only means that the answer is lost. */
  #keep(request: KeyedRequest, hash: string, status: number, kept: Kept): void {
    const { store, sealer, now, log } = this.#parts;
    const text = JSON.stringify(kept);
    if (text.length > LONGEST_ANSWER) return;
    try {
      const answer = sealer.seal(text, placeOf(request));
      store.tx((tx) => writeKeyedAnswer(tx, request, { body_hash: hash, at: now(), status, answer }));
    } catch (error) {
      log.warn({ route: request.route, error }, 'could not keep the answer of a request with an Idempotency-Key');
    }
  }

  #again(status: number, sealed: string, id: string): Reply {
    // Written by this program, sealed, and opened nowhere else.
    const { body, location, error } = JSON.parse(this.#parts.sealer.open(sealed, id)) as Kept;
    if (error) throw new DavitError(error.code, error.message, error);
    return { status, ...(body !== undefined && { body }), ...(location !== undefined && { headers: { location } }) };
  }
}

/** @throws DavitError invalid_input */
function keyOf({ method, headers, isApi, caller }: Exchange): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || method !== 'POST' || !isApi) return undefined;
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw invalidField('Idempotency-Key', 'invalid_format', 'must be 1 to 255 visible ASCII characters, sent once.');
  }
  // Nobody is known at the claim and at sign-in, and what they answer is nobody else's.
  return caller === null ? undefined : key;
}

/** What may do less than its owner is a caller of its own: it must not be told what was answered to him. */
function callerOf({ signedIn: { actor, credential } }: Exchange): string {
  const owner = actor.userId === null ? actor.via : `user/${actor.userId}`;
  return isRestricted(credential) && 'id' in credential ? `${owner}/${credential.kind}/${credential.id}` : owner;
}

function hashOf({ queryText, bytes }: Exchange): string {
  return createHash('sha256')
    .update(`${queryText}\n`)
    .update(bytes ?? '')
    .digest('hex');
}

function placeOf({ caller, route, key }: KeyedRequest): string {
  return `answers/${caller} ${route} ${key}`;
}

function inProgress(): DavitError {
  const message = 'The first request with this Idempotency-Key is still being worked on: send it again in a moment.';
  return new DavitError('conflict', message, { retryAfterS: 1 });
}

function lost(): DavitError {
  return new DavitError(
    'conflict',
    'The first request with this Idempotency-Key was begun and how it ended is not on record: look at what it was to change, then decide anew with another key.',
  );
}
