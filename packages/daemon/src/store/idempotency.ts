import type { Reader, Tx } from './store.ts';

/** How long the same request is answered the same. */
export const KEYS_KEPT_MS = 24 * 60 * 60_000;

/** Which request is meant by a key: keys of different callers and routes have nothing to do with each other. */
export interface KeyedRequest {
  caller: string;
  /** The path as it was sent. */
  route: string;
  key: string;
}

export interface KeyedAnswer {
  /** Of the query and the body. */
  body_hash: string;
  at: number;
  /** Null: the work has begun, and how it was answered is not on record. */
  status: number | null;
  /** Sealed. */
  answer: string | null;
}

export function keyedAnswer(db: Reader, { caller, route, key }: KeyedRequest, since: number): KeyedAnswer | undefined {
  return db.get(
    'SELECT body_hash, at, status, answer FROM answers WHERE caller = ? AND route = ? AND key = ? AND at > ?',
    caller,
    route,
    key,
    since,
  );
}

/** Takes a key, or writes down what the request with it was answered. */
export function writeKeyedAnswer(tx: Tx, { caller, route, key }: KeyedRequest, answer: KeyedAnswer): void {
  tx.run(
    'INSERT OR REPLACE INTO answers (caller, route, key, body_hash, at, status, answer) VALUES (?, ?, ?, ?, ?, ?, ?)',
    caller,
    route,
    key,
    answer.body_hash,
    answer.at,
    answer.status,
    answer.answer,
  );
}

/** Whether there is anything to forget: a look costs no disk sync. */
export function hasAnswersBefore(db: Reader, at: number): boolean {
  return db.get('SELECT 1 FROM answers WHERE at <= ? LIMIT 1', at) !== undefined;
}

export function deleteAnswersBefore(tx: Tx, at: number): void {
  tx.run('DELETE FROM answers WHERE at <= ?', at);
}
