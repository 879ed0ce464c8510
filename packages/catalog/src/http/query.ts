/** Parses query parameters of the catalog API. For an invalid value, throws an error with a one-sentence message. */
import { CatalogError } from '@davit/api/catalog/errors.ts';
import { LIMIT, LONGEST_SEARCH, SORTS } from '@davit/api/catalog/limits.ts';
import { quote } from '@davit/service';
import { foldQuery } from '../store/fold.ts';
import type { Sort } from '../store/types.ts';

/** Query parameters of the template list. The pagination cursor is still encoded. */
export interface ListRequest {
  q: string | null;
  tag: string | null;
  sort: Sort;
  limit: number;
  cursor: string | null;
}

const LIST_NAMES = ['sort', 'q', 'tag', 'limit', 'cursor'] as const;

/**
 * Parses the query parameters of the template list.
 * @throws CatalogError invalid_query
 */
export function readListQuery(text: string): ListRequest {
  const given = readParameters(text, LIST_NAMES);
  return {
    sort: sortOf(given.sort),
    q: given.q === undefined ? null : searchOf(given.q),
    tag: given.tag ?? null,
    limit: given.limit === undefined ? LIMIT.usual : limitOf(given.limit),
    cursor: given.cursor ?? null,
  };
}

/**
 * Returns the release tag from the query parameters. Returns `null` if there is no tag. `null` means the newest
 * accepted release.
 * @throws CatalogError invalid_query
 */
export function readReleaseQuery(text: string): string | null {
  return readParameters(text, ['release']).release ?? null;
}

/**
 * Returns the query parameters that have a known name and a value.
 * @param text encoded query string, with one character for each byte
 * @throws CatalogError invalid_query
 */
export function readParameters<const N extends string>(text: string, names: readonly N[]): Partial<Record<N, string>> {
  const found: Partial<Record<N, string>> = {};
  if (text === '') return found;
  const seen = new Set<string>();
  for (const pair of text.split('&')) {
    const [, key = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const name = names.find((one) => one === decode(key));
    if (name === undefined) continue;
    if (seen.has(name)) throw refused(`The parameter ${name} is repeated. Send it once.`);
    seen.add(name);
    const decoded = decode(value);
    if (decoded === null) throw refused(`The parameter ${name} is not text in UTF-8. Encode it as %XX.`);
    if (decoded !== '') found[name] = decoded;
  }
  return found;
}

function sortOf(text: string | undefined): Sort {
  const sort = SORTS.find((one) => one === (text ?? 'recent'));
  if (sort === undefined)
    throw refused(`The parameter sort must be ${SORTS.join(' or ')}, not “${quote(text ?? '')}”.`);
  return sort;
}

/** Normalizes a search text in the same way as the search index. Returns `null` if the normalized text is empty. */
function searchOf(text: string): string | null {
  const q = text.trim();
  // `length` is checked first, because counting the characters of a long text would be slow.
  if (q.length > 2 * LONGEST_SEARCH || [...q].length > LONGEST_SEARCH)
    throw refused(`The parameter q must be at most ${LONGEST_SEARCH} characters long.`);
  if (q.includes('\0')) throw refused('The parameter q contains a NUL character. Remove the character.');
  return foldQuery(q) || null;
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= LIMIT.least && limit <= LIMIT.most) return limit;
  throw refused(
    `The parameter limit must be a whole number from ${LIMIT.least} to ${LIMIT.most}, not “${quote(text)}”.`,
  );
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a percent-encoded text. Returns `null` if an escape is invalid or the bytes are not UTF-8. */
function decode(text: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches all ASCII characters without encoding
  if (/^[\x00-\x24\x26-\x2a\x2c-\x7f]*$/.test(text)) return text;
  const spaced = text.replaceAll('+', ' ');
  if (/%(?![0-9a-f]{2})/i.test(spaced)) return null;
  const bytes = spaced.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return null;
  }
}

function refused(message: string): CatalogError {
  return new CatalogError('invalid_query', message);
}
