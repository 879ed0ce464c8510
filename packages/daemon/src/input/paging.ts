import { invalidField } from '@davit/api';

/** What a caller asks of a list: nothing is the whole of it. */
export interface PageAsk {
  limit?: number | undefined;
  /** As the page before named it. */
  cursor?: string | undefined;
}

export interface Page<T> {
  items: T[];
  /** The cursor of the next page; null on the last one. */
  next: string | null;
}

/**
 * One page of a list. A cursor is the key of the last row that was shown, so that a page goes on at the right place
 * whatever came and went in between.
 * @param rows sorted by their key
 * @param keyOf unlike that of any other row
 * @throws DavitError invalid_input for a cursor that was never given out
 */
export function pageOf<T>(rows: readonly T[], keyOf: (row: T) => string, { limit, cursor }: PageAsk): Page<T> {
  const from = cursor === undefined ? 0 : firstAfter(rows, keyOf, decode(cursor));
  const to = limit === undefined ? rows.length : from + limit;
  const items = rows.slice(from, to);
  const last = items.at(-1);
  return { items, next: to < rows.length && last !== undefined ? encode(keyOf(last)) : null };
}

/** The key of a row that is listed by its number: keys are compared as text. */
export function numberKey(number: number): string {
  return String(number).padStart(16, '0');
}

/** A page of what is made of the rows of another one: what is not shown is not made. */
export function mapPage<T, U>({ items, next }: Page<T>, make: (item: T) => U): Page<U> {
  return { items: items.map(make), next };
}

function firstAfter<T>(rows: readonly T[], keyOf: (row: T) => string, key: string): number {
  const found = rows.findIndex((row) => keyOf(row) > key);
  return found < 0 ? rows.length : found;
}

function encode(key: string): string {
  return Buffer.from(key).toString('base64url');
}

function decode(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString();
  if (key === '' || encode(key) !== cursor) {
    throw invalidField('cursor', 'invalid_value', 'must be one that a page before named.');
  }
  return key;
}
