import type { DavitError } from '@davit/api';
import { encodingFor, isWorthPacking, type Packing, pack, prefersProblem, problemOf } from '@davit/service';
import { VERSION } from '../version.ts';
import type { Reply } from './bind.ts';
import { names, tagOf } from './etag.ts';
import type { Exchange } from './exchange.ts';
import type { ResponseFacts } from './response-facts.ts';

/**
 * Headers of every HTTP response. Browsers then do not show API responses as web pages, and do not guess another media
 * type.
 */
const COMMON = {
  'Davit-Version': VERSION,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

type Headers = Record<string, string>;

/**
 * Converts the result of a handler into an HTTP response. Large text and JSON is compressed if the endpoint and the
 * client allow compression. The ETag is weak, so it stays the same with compression.
 */
export function respond(reply: Reply, exchange: Exchange): Response | Promise<Response> {
  const { status, body, next } = reply;
  const headers = headersOf(exchange);
  let text: string | Uint8Array<ArrayBuffer> | ReadableStream | null = null;
  if (body instanceof ReadableStream) text = body;
  else if (body instanceof Uint8Array) text = body as Uint8Array<ArrayBuffer>;
  else if (typeof body === 'string') {
    text = body;
    headers['Content-Type'] = 'text/plain; charset=utf-8';
  } else if (body !== undefined) {
    text = JSON.stringify(body);
    headers['Content-Type'] = 'application/json';
    const tag = exchange.isApi && exchange.isRead && status === 200 ? tagOf(text) : undefined;
    if (tag !== undefined) headers.ETag = tag;
  }
  if (reply.headers) Object.assign(headers, reply.headers);
  if (next) headers.Link = nextPage(exchange, next);
  const packable = typeof text === 'string' && exchange.endpoint?.compresses && isWorthPacking(text) ? text : null;
  if (packable !== null) headers.Vary = 'Accept-Encoding';
  const known = exchange.headers['if-none-match'];
  if (known !== undefined && headers.ETag !== undefined && names(known, headers.ETag)) {
    return new Response(null, { status: 304, headers });
  }
  const encoding = packable === null ? 'identity' : encodingFor(exchange.headers['accept-encoding']);
  if (packable === null || encoding === 'identity') return new Response(text, { status, headers });
  return packed(packable, encoding, status, headers);
}

async function packed(text: string, encoding: Packing, status: number, headers: Headers): Promise<Response> {
  const bytes = await pack(Buffer.from(text), encoding);
  headers['Content-Encoding'] = encoding;
  // A response to a HEAD request needs `Content-Length` too, although the body of the response is discarded.
  headers['Content-Length'] = String(bytes.length);
  return new Response(bytes as Uint8Array<ArrayBuffer>, { status, headers });
}

/** Returns the `Link` header for the next page. Its URL is the URL of the request with another cursor. */
function nextPage({ path, queryText }: Exchange, cursor: string): string {
  const others = queryText.split('&').filter((pair) => pair !== '' && !pair.startsWith('cursor='));
  // A cursor from an object store can contain any characters, so it must be encoded.
  const next = encodeURIComponent(cursor.toWellFormed());
  return `<${path}?${[...others, `cursor=${next}`].join('&')}>; rel="next"`;
}

/**
 * Converts an error into an HTTP response. Clients that accept `application/problem+json` get a problem document.
 * Other clients get one sentence of text.
 */
export function respondError(
  error: DavitError,
  facts: ResponseFacts,
  accept: string | undefined,
  more: Headers = {},
): Response {
  const { status, retryAfterS } = error;
  const headers = Object.assign(headersOf(facts), more);
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (retryAfterS !== undefined) headers['Retry-After'] = String(retryAfterS);
  if (accept !== undefined && prefersProblem(accept)) {
    headers['Content-Type'] = 'application/problem+json';
    return new Response(JSON.stringify(problemOf(error, facts.requestId)), { status, headers });
  }
  headers['Content-Type'] = 'text/plain; charset=utf-8';
  return new Response(`${error.message}\n`, { status, headers });
}

/** Returns the HTTP headers that all responses have in common. */
export function headersOf({ requestId, isApi, isSecure, allowance, isReplayed }: ResponseFacts): Headers {
  const headers: Headers = { ...COMMON, 'X-Request-Id': requestId };
  if (allowance) {
    headers['RateLimit-Policy'] = allowance.policy;
    headers.RateLimit = allowance.left;
  }
  if (isReplayed) headers['Idempotency-Replayed'] = 'true';
  if (isApi) headers['Cache-Control'] = 'no-store';
  if (isSecure) headers['Strict-Transport-Security'] = 'max-age=31536000';
  return headers;
}
