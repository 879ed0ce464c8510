import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insertOrReplace } from '../write.ts';

/** How long the same request is answered the same. */
export const KEYS_KEPT_MS = 24 * 60 * 60_000;

/** Which request is meant by a key: keys of different callers and routes have nothing to do with each other. */
export interface KeyedRequest {
  caller: string;
  /** The path as it was sent. */
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

/** Takes a key, or writes down what the request with it was answered. */
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

/** Whether there is anything to forget: a look costs no disk sync. */
export function hasAnswersBefore(db: Reader, at: number): boolean {
  return db.exists('SELECT 1 FROM answers WHERE at <= ? LIMIT 1', at);
}

export function deleteAnswersBefore(tx: Tx, at: number): void {
  tx.run('DELETE FROM answers WHERE at <= ?', at);
}
