/**
 * What holds of every operation alike, told once: the headers that a request may carry and an answer does, by what an
 * operation is. The document derives them from here, so that no operation repeats them.
 */
import { z } from 'zod';
import type { Operation } from './operation.ts';

/** In the document's introduction. */
export const CONVENTIONS = [
  '**Errors** are one sentence of `text/plain` that says what to do, or `application/problem+json` where `Accept` prefers it by name.',
  '**Sending again.** A POST with an `Idempotency-Key` is carried out once: for 24 hours the same request of the same caller is answered as the first, with `Idempotency-Replayed: true`. The key with another body or query is 422; while the first is being worked on, and when its answer was lost, it is 409. What changed nothing, and answers 429 and 5xx, are not kept. A streamed answer is not told again: the same request is then 409.',
  '**Changing what you read.** A read has an `ETag`, but for long lists; `If-None-Match` with it is answered 304. A PUT, PATCH or DELETE with `If-Match` is carried out only if what a read of the same path shows has not changed since, else it is 412. When something was last looked at (`observed_at`) or somebody was last here (`last_seen_at`) is no change.',
  '**Pages.** A list is whole unless `limit` is given; of one that grows with every use, newest first, 50 are answered at a time. The next page is named in `Link` with `rel="next"`.',
  '**Limits.** `RateLimit-Policy` says how many requests a caller has in a minute, and `RateLimit` how many are left; what goes beyond is 429 with `Retry-After`.',
  '**Streams** are `text/event-stream`: `id` resumes them (`Last-Event-ID`), `data` is one line of JSON, a comment is sent after 15 s of silence, and an event `reset` says why a stream ends or does not go on where it was. Rights that end, end it within seconds.',
  '**Names.** A session’s cookie is taken only under a name of the instance itself: its domain, an address, or a name without a dot.',
  '`Davit-Version` and `X-Request-Id` are on every answer.',
].join('\n\n');

/** The headers, beside the credential, that a request of an operation may carry; null for none. */
export function requestHeaders(operation: Operation): z.ZodObject | null {
  const { method } = operation;
  const headers: Record<string, z.ZodType> = {};
  if (method === 'POST') {
    headers['Idempotency-Key'] = header('1 to 255 visible ASCII characters: the same request is carried out once.');
  }
  if (isTagged(operation)) headers['If-None-Match'] = header('Answer 304 if the `ETag` is still this one.');
  if (method === 'PUT' || method === 'PATCH' || method === 'DELETE') {
    headers['If-Match'] = header('Answer 412 unless the `ETag` of a read of this path is still this one.');
  }
  if (Object.values(operation.responses).some(({ events }) => events)) {
    headers['Last-Event-ID'] = header('Go on after this event, where the answer is a stream.');
  }
  return Object.keys(headers).length === 0 ? null : z.object(headers);
}

/** Headers that many answers carry, with what each says: told once in the document. */
export const COMMON_HEADERS: Record<string, string> = {
  ETag: 'For `If-None-Match` and `If-Match`.',
  Link: 'The next page, with `rel="next"`, if there is one.',
  'Idempotency-Replayed': '`true`: answered as before, not carried out again.',
  'Retry-After': 'Seconds, where they are known.',
  'RateLimit-Policy': 'How many requests a caller has in a minute.',
  RateLimit: 'How many are left, and in how many seconds all are there again.',
  'Davit-Version': 'The version of the instance.',
  'X-Request-Id': 'The request in the log; the caller’s own when it sent a plain one.',
};

/** The headers that a successful answer of an operation carries beside its own, with what each says. */
export function responseHeaders(operation: Operation, status: number): Record<string, string> {
  const { method, query } = operation;
  const isPaged = status === 200 && query !== undefined && 'cursor' in query.shape;
  return pick([
    ...(isTagged(operation) && (status === 200 || status === 304) ? ['ETag'] : []),
    ...(isPaged ? ['Link'] : []),
    ...(method === 'POST' && status < 300 ? ['Idempotency-Replayed'] : []),
    ...ON_EVERY_ANSWER,
  ]);
}

/** The headers of an answer that says what went wrong. */
export function headersOfFailures(status: number): Record<string, string> {
  const names = status === 401 ? ON_EVERY_ANSWER.filter((name) => !name.startsWith('RateLimit')) : ON_EVERY_ANSWER;
  return pick([...(status === 429 || status === 503 ? ['Retry-After'] : []), ...names]);
}

const ON_EVERY_ANSWER = ['RateLimit-Policy', 'RateLimit', 'Davit-Version', 'X-Request-Id'];

function pick(names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, COMMON_HEADERS[name] ?? '']));
}

function isTagged({ method, responses }: Operation): boolean {
  const { schema, contentType } = responses[200] ?? {};
  return method === 'GET' && schema !== undefined && contentType === undefined;
}

function header(description: string): z.ZodType {
  return z.string().optional().describe(description);
}
