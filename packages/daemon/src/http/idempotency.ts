/**
 * Handles the `Idempotency-Key` header. A POST request with this header runs only once. For one day, repeated requests
 * with the same key get the same response.
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
import { type HeldRights, includes, storableRights } from './rights.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;
/** Maximum length of a stored response in characters. Longer responses are not stored. */
const LONGEST_ANSWER = 1024 * 1024;

export interface IdempotencyParts {
  store: Store;
  sealer: Sealer;
  now: () => number;
  log: Logger;
}

/**
 * Stored response to a request with an `Idempotency-Key`. If the request changed something and then failed, the
 * response contains the error.
 */
interface Kept {
  /**
   * Permissions that the caller had when it sent the request for the first time. Not set in responses that an older
   * Davit version stored.
   */
  rights?: HeldRights;
  body?: unknown;
  location?: string;
  error?: { code: ErrorCode; message: string; fields?: readonly FieldProblem[]; quota?: QuotaRefusal };
}

export class Idempotency {
  readonly #parts: IdempotencyParts;
  /**
   * Content hashes of the requests with an `Idempotency-Key` that are running now. The map key consists of caller, URL
   * path and `Idempotency-Key`.
   */
  readonly #running = new Map<string, string>();

  constructor(parts: IdempotencyParts) {
    this.#parts = parts;
  }

  /**
   * Runs a request, or returns the stored response for its `Idempotency-Key`.
   * @throws DavitError invalid_input; idempotency_mismatch if another request used the key; conflict if the key has no
   * stored response
   */
  async carryOut(exchange: Exchange, work: () => Reply | Promise<Reply>): Promise<Reply> {
    const key = keyOf(exchange);
    if (key === undefined) return work();
    const request = { caller: callerOf(exchange), route: exchange.path, key };
    const hash = hashOf(exchange);
    const id = locationOf(request);
    const known = this.#known(request, id);
    if (known) {
      if (known.body_hash !== hash) throw new DavitError('idempotency_mismatch');
      if (known.status !== null) {
        const kept = this.#open(known.answer ?? '', id);
        demandRights(exchange, kept);
        exchange.isReplayed = true;
        return again(known.status, kept);
      }
      // If the daemon crashes after the change, the database contains the `Idempotency-Key` without a stored response.
      throw this.#running.has(id) ? inProgress() : lost();
    }
    this.#running.set(id, hash);
    // If the connection is closed, the work continues. The client can repeat the request and get the stored response.
    exchange.outlivesCaller = true;
    try {
      return await this.#first(request, hash, storableRights(exchange.signedIn.actor), work);
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

  async #first(
    request: KeyedRequest,
    hash: string,
    rights: HeldRights,
    work: () => Reply | Promise<Reply>,
  ): Promise<Reply> {
    const { store, now } = this.#parts;
    /*
     * The transaction of the first change also stores the `Idempotency-Key`. After a crash, the stored key proves that
     * the request changed data.
     */
    const taken: TrailEntry = {
      written: false,
      write: (tx) => writeKeyedAnswer(tx, request, { body_hash: hash, at: now(), status: null, answer: null }),
    };
    let reply: Reply;
    try {
      reply = await store.trail.during(taken, work);
    } catch (error) {
      // The request failed after it changed data. The error is stored, so that a repeated request gets the same error.
      if (taken.written && error instanceof DavitError && error.status < 500 && error.status !== 429) {
        const { code, message, status, fields, quota } = error;
        this.#keep(request, hash, status, { rights, error: { code, message, fields, ...(quota && { quota }) } });
      }
      throw error;
    }
    // If an event stream changed data, a second request with the same `Idempotency-Key` gets an error.
    if (reply.events !== undefined) return { ...reply, events: this.#live(reply.events, taken) };
    /*
     * The response to a request without a change, such as a dry run, is not stored. If the client repeats the request,
     * Davit runs it again.
     */
    if (reply.status < 500 && taken.written) {
      const location = reply.headers?.location;
      this.#keep(request, hash, reply.status, {
        rights,
        body: reply.body,
        ...(location !== undefined && { location }),
      });
    }
    return reply;
  }

  /**
   * Wraps an event stream, so that its first database change also stores the `Idempotency-Key`. An event stream changes
   * data only while an event is read from it.
   */
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

  /**
   * Stores the response to a request with an `Idempotency-Key`. An error is only logged, because the request has
   * already changed data.
   */
  #keep(request: KeyedRequest, hash: string, status: number, kept: Kept): void {
    const { store, sealer, now, log } = this.#parts;
    const text = JSON.stringify(kept);
    if (text.length > LONGEST_ANSWER) return;
    try {
      const answer = sealer.seal(text, locationOf(request));
      store.tx((tx) => writeKeyedAnswer(tx, request, { body_hash: hash, at: now(), status, answer }));
    } catch (error) {
      log.warn({ route: request.route, error }, 'response of a request with an Idempotency-Key could not be stored');
    }
  }

  #open(sealed: string, id: string): Kept {
    // The JSON needs no validation, because decryption fails for a text that Davit did not encrypt.
    return JSON.parse(this.#parts.sealer.open(sealed, id)) as Kept;
  }
}

function again(status: number, { body, location, error }: Kept): Reply {
  if (error) throw new DavitError(error.code, error.message, error);
  return { status, ...(body !== undefined && { body }), ...(location !== undefined && { headers: { location } }) };
}

/**
 * Checks that the caller still has the permissions of the first request, because the stored response may contain
 * protected data.
 * @throws DavitError forbidden
 */
function demandRights({ signedIn }: Exchange, { rights }: Kept): void {
  if (rights !== undefined && includes(signedIn.actor, rights)) return;
  throw new DavitError(
    'forbidden',
    'You cannot see the stored response for this Idempotency-Key, because your permissions have changed since the first request. Read the changed resource to see the result.',
  );
}

/**
 * Returns the `Idempotency-Key` of a request, or `undefined` if the request has no key. @throws DavitError
 * invalid_input
 */
function keyOf({ method, headers, isApi, caller }: Exchange): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined || method !== 'POST' || !isApi) return undefined;
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw invalidField(
      'Idempotency-Key',
      'invalid_format',
      'must have 1 to 255 visible ASCII characters. The request must contain this header only once.',
    );
  }
  /*
   * The `Idempotency-Key` of a setup or sign-in request is ignored, because the session in the response must not be
   * stored.
   */
  return caller === null ? undefined : key;
}

/**
 * Returns the owner of a stored response. A restricted API key or connected client must not get responses to other
 * requests of its user.
 */
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

function locationOf({ caller, route, key }: KeyedRequest): string {
  return `answers/${caller} ${route} ${key}`;
}

function inProgress(): DavitError {
  const message =
    'The first request with this Idempotency-Key is still in progress. Send the request again in a moment.';
  return new DavitError('conflict', message, { retryAfterS: 1 });
}

function lost(): DavitError {
  return new DavitError(
    'conflict',
    'The result of the first request with this Idempotency-Key is unknown. If its change was not made, send the request again with a new key.',
  );
}
