import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insertOrReplace } from '../write.ts';

/**
 * Time in milliseconds for which Davit stores the response to a request with an `Idempotency-Key`. If a client repeats
 * the request within this time, it gets the stored response.
 */
export const KEYS_KEPT_MS = 24 * 60 * 60_000;

/**
 * Request with an `Idempotency-Key` header. Requests with the same caller, URL path and key are repetitions of one
 * request.
 */
export interface KeyedRequest {
  caller: string;
  /** URL path of the request, exactly as the client sent it. */
  route: string;
  key: string;
}

const ANSWER = selectFrom('answers', 'body_hash, at, status, answer');

export type KeyedAnswer = Row<typeof ANSWER>;

export function keyedAnswer(db: Reader, { caller, route, key }: KeyedRequest, since: number): KeyedAnswer | undefined {
  return db.get(
    ANSWER.from('answers WHERE caller = ? AND route = ? AND key = ? AND at > ?'),
    caller,
    route,
    key,
    since,
  );
}

/** Stores an `Idempotency-Key` in the database. If the request is finished, its response is stored too. */
export function writeKeyedAnswer(tx: Tx, { caller, route, key }: KeyedRequest, answer: KeyedAnswer): void {
  insertOrReplace(tx, 'answers', {
    caller,
    route,
    key,
    body_hash: answer.body_hash,
    at: answer.at,
    status: answer.status,
    answer: answer.answer,
  });
}

/**
 * Returns whether some stored responses are old enough to delete. Call this function before the deletion. A write
 * transaction that deletes nothing would cause an unnecessary disk sync.
 */
export function hasAnswersBefore(db: Reader, at: number): boolean {
  return db.exists('SELECT 1 FROM answers WHERE at <= ? LIMIT 1', at);
}

export function deleteAnswersBefore(tx: Tx, at: number): void {
  tx.run('DELETE FROM answers WHERE at <= ?', at);
}
