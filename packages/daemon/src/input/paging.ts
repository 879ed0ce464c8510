import { invalidField } from '@davit/api';

/** Page options of a request. Without options, the page contains the whole list. */
export interface PageAsk {
  limit?: number | undefined;
  /** Cursor from the previous page. */
  cursor?: string | undefined;
}

export interface Page<T> {
  items: T[];
  /** Cursor of the next page, or `null` on the last page. */
  next: string | null;
}

/**
 * Returns one page of a list. A cursor is the key of the last row of the previous page. A page therefore continues at
 * the correct position, even if rows were added or deleted in the meantime.
 * @param rows rows sorted by their key
 * @param keyOf returns the unique key of a row
 * @throws DavitError invalid_input for an invalid cursor
 */
export function pageOf<T>(rows: readonly T[], keyOf: (row: T) => string, { limit, cursor }: PageAsk): Page<T> {
  const from = cursor === undefined ? 0 : firstAfter(rows, keyOf, decode(cursor));
  const to = limit === undefined ? rows.length : from + limit;
  const items = rows.slice(from, to);
  const last = items.at(-1);
  return { items, next: to < rows.length && last !== undefined ? encode(keyOf(last)) : null };
}

/** Returns the key of a numbered row as text that sorts like the number. */
export function numberKey(number: number): string {
  return String(number).padStart(16, '0');
}

/** Maps the rows of a page. Only rows on the page are mapped. */
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
    throw invalidField('cursor', 'invalid_value', 'must be the cursor from an earlier page.');
  }
  return key;
}
