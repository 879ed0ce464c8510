import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insertOrReplace } from '../write.ts';

/** Time in milliseconds for which a repeated request with the same key gets the same response. */
export const KEYS_KEPT_MS = 24 * 60 * 60_000;

/** A request with an idempotency key. Keys of different callers or routes are independent. */
export interface KeyedRequest {
  caller: string;
  /** Path of the request, as the client sent it. */
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

/** Reserves a key, or stores the response to the request with this key. */
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

/** Returns whether there are expired responses. This check avoids a write transaction, and so a disk sync. */
export function hasAnswersBefore(db: Reader, at: number): boolean {
  return db.exists('SELECT 1 FROM answers WHERE at <= ? LIMIT 1', at);
}

export function deleteAnswersBefore(tx: Tx, at: number): void {
  tx.run('DELETE FROM answers WHERE at <= ?', at);
}
