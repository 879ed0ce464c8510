/**
 * HTTP headers that many API operations share. An operation does not declare these headers, because the OpenAPI
 * document takes them from this file.
 */
import { z } from 'zod';
import type { Operation } from './operation.ts';

/** Text for the introduction of the API's OpenAPI document. */
export const CONVENTIONS = [
  '**Errors.** An error is a sentence in `text/plain` that says what happened and what to do. If the `Accept` header contains `application/problem+json`, the error has this format.',
  '**Idempotent requests.** The instance executes a POST request with the header `Idempotency-Key` once. For 24 hours, a repeated request from the same caller gets the first response again, with the header `Idempotency-Replayed: true`. A request with the same key but another body or query gets 422. A repeated request gets 409 while the first request is in progress. It also gets 409 if the first response was lost or was a stream. The instance does not store responses with 429 or 5xx, or responses of requests that changed nothing.',
  '**Conditional requests.** Responses to GET requests have the header `ETag`, except long lists. A GET request with `If-None-Match` gets 304 if the resource has not changed. A PUT, PATCH or DELETE request with `If-Match` gets 412 if the resource has changed since the `ETag` was read. Times of checks (`observed_at`) and of last use (`last_seen_at`) do not count as changes.',
  '**Pagination.** A list is complete unless the request has a `limit`. Lists that grow with use, such as deployments, have 50 entries per page, newest first. The header `Link` with `rel="next"` has the URL of the next page.',
  '**Rate limits.** The header `RateLimit-Policy` has the maximum number of requests per minute, and `RateLimit` has the number of remaining requests. Further requests get 429 with the header `Retry-After`.',
  '**Streams.** Streams have the type `text/event-stream`. To resume a stream, a client sends the last `id` in the header `Last-Event-ID`. The `data` of each event is one line of JSON. The instance sends a comment after 15 s without an event. The event `reset` has the reason why a stream ends or cannot resume after the last event that the client received. A stream ends within seconds when the caller loses the permission to read it.',
  '**Compression.** The instance compresses responses of more than 1 KiB if the header `Accept-Encoding` allows `br` or `gzip`. It never compresses streams and responses that can contain secrets.',
  '**Hosts.** The instance accepts session cookies only in requests to its own hosts: its domain, an IP address, or a name without a dot.',
  'Every response has the headers `Davit-Version` and `X-Request-Id`.',
].join('\n\n');

/**
 * Returns the schema of an API operation's optional request headers, without headers for authentication. Returns `null`
 * if the operation has no such headers.
 */
export function requestHeaders(operation: Operation): z.ZodObject | null {
  const { method } = operation;
  const headers: Record<string, z.ZodType> = {};
  if (method === 'POST') {
    headers['Idempotency-Key'] = header(
      'Idempotency key of 1 to 255 visible ASCII characters. If you repeat a request with the same key, the instance does not execute it again.',
    );
  }
  if (isTagged(operation))
    headers['If-None-Match'] = header(
      '`ETag` of an earlier response. The response is 304 if the resource has not changed.',
    );
  if (method === 'PUT' || method === 'PATCH' || method === 'DELETE') {
    headers['If-Match'] = header(
      '`ETag` of an earlier response for this path. The response is 412 if the resource has changed.',
    );
  }
  if (Object.values(operation.responses).some(({ events }) => events)) {
    headers['Last-Event-ID'] = header('ID of the last received event. The stream continues after this event.');
  }
  return Object.keys(headers).length === 0 ? null : z.object(headers);
}

/**
 * Descriptions of response headers that many API operations share. The OpenAPI document contains each description only
 * once.
 */
export const COMMON_HEADERS: Record<string, string> = {
  ETag: 'Version of the resource. Send it in `If-None-Match` or `If-Match` of a later request.',
  Link: 'URL of the next page of the list, with `rel="next"`. Absent on the last page.',
  'Idempotency-Replayed':
    '`true` if the instance has already executed a request with this `Idempotency-Key`. The response is then the stored response of that request.',
  'Retry-After': 'Number of seconds to wait before the next request. Absent if the time is not known.',
  'RateLimit-Policy': 'Number of requests per minute that a caller may send.',
  RateLimit: 'Number of remaining requests, and number of seconds until the rate limit is reset.',
  'Davit-Version': 'Version of Davit that this instance runs.',
  'X-Request-Id':
    'ID of the request in the log of the instance. If the request has a valid `X-Request-Id`, the instance uses this ID.',
};

/**
 * Returns the common headers of a successful response or a 304 response, with their descriptions. The result depends on
 * the operation and the HTTP status.
 */
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
