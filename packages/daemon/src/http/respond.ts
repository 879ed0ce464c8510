import { type DavitError, ERRORS, type Problem } from '@davit/api';
import type { Reply } from './bind.ts';

/** On every answer: nothing here is a page, and nothing may be guessed to be one. */
const COMMON = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

export interface ResponseFacts {
  requestId: string;
  /** The path is below `/api`: nothing of it is ever kept by a cache. */
  isApi: boolean;
  /** The caller's connection is encrypted. */
  isSecure: boolean;
}

type Headers = Record<string, string>;

/** A handler's answer as a response. */
export function respond(reply: Reply, facts: ResponseFacts): Response {
  const { status, body } = reply;
  const headers = headersOf(facts);
  let text: string | Uint8Array<ArrayBuffer> | null = null;
  if (body instanceof Uint8Array) text = body as Uint8Array<ArrayBuffer>;
  else if (typeof body === 'string') {
    text = body;
    headers['Content-Type'] = 'text/plain; charset=utf-8';
  } else if (body !== undefined) {
    text = JSON.stringify(body);
    headers['Content-Type'] = 'application/json';
  }
  if (reply.headers) Object.assign(headers, reply.headers);
  return new Response(text, { status, headers });
}

/** An error as a response: one sentence of text, or a problem document for who asks for it by name. */
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
    return new Response(JSON.stringify(problem(error, facts.requestId)), { status, headers });
  }
  headers['Content-Type'] = 'text/plain; charset=utf-8';
  return new Response(`${error.message}\n`, { status, headers });
}

/** The headers of every answer. */
export function headersOf({ requestId, isApi, isSecure }: ResponseFacts): Headers {
  const headers: Headers = { ...COMMON, 'X-Request-Id': requestId };
  if (isApi) headers['Cache-Control'] = 'no-store';
  if (isSecure) headers['Strict-Transport-Security'] = 'max-age=31536000';
  return headers;
}

function problem({ code, status, message }: DavitError, requestId: string): Problem {
  return { type: 'about:blank', title: ERRORS[code].message, status, detail: message, code, request_id: requestId };
}

const PROBLEM = 'application/problem+json';

/** Named with a weight that nothing we could answer instead exceeds; text that is named too wins a draw. */
function prefersProblem(accept: string): boolean {
  if (!accept.toLowerCase().includes(PROBLEM)) return false;
  const weights = new Map(accept.split(',').map(weight));
  const wish = weights.get(PROBLEM) ?? 0;
  const text = weights.get('text/plain') ?? weights.get('text/*');
  return wish > 0 && (text === undefined ? wish >= (weights.get('*/*') ?? 0) : wish > text);
}

function weight(range: string): [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return [type, Number(q) || 0];
}
