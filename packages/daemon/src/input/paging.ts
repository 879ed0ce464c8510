import { invalidField } from '@davit/api';

/** Pagination parameters of a list request. Without these parameters, the response contains the complete list. */
export interface PageQuery {
  limit?: number | undefined;
  /**
   * Position at which the page starts. The cursor is the value of `next` in the response with the previous page.
   * Default: the first page.
   */
  cursor?: string | undefined;
}

export interface Page<T> {
  items: T[];
  /** Cursor for requesting the next page, or `null` on the last page. */
  next: string | null;
}

/**
 * Returns one page of rows that are sorted by key. Keys must be unique, because the cursor is the key of the last row
 * of a page.
 * @throws DavitError invalid_input
 */
export function pageOf<T>(rows: readonly T[], keyOf: (row: T) => string, { limit, cursor }: PageQuery): Page<T> {
  const from = cursor === undefined ? 0 : firstAfter(rows, keyOf, decode(cursor));
  const to = limit === undefined ? rows.length : from + limit;
  const items = rows.slice(from, to);
  const last = items.at(-1);
  return { items, next: to < rows.length && last !== undefined ? encode(keyOf(last)) : null };
}

/** Adds leading zeros to an id. A text comparison of two such ids then gives their numeric order. */
export function numberKey(number: number): string {
  return String(number).padStart(16, '0');
}

/** Converts each item of a result page. The cursor for the next page stays the same. */
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
