import { CATALOG_ERRORS, type CatalogError, type CatalogErrorCode } from '@davit/api/catalog/errors.ts';
import type { RawForm, RawStatus } from '@davit/service';

/**
 * CORS headers of all HTTP responses. The API is public, so web pages of all sites may send requests without
 * credentials.
 */
export const OPEN = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Retry-After',
  'X-Content-Type-Options': 'nosniff',
} as const;

const RAW_CODES = {
  400: 'bad_request',
  408: 'request_timeout',
  417: 'expectation_failed',
  431: 'headers_too_large',
  500: 'internal',
} as const satisfies Record<RawStatus, CatalogErrorCode>;

/**
 * Formats HTTP errors that occur before a request is parsed. The format is JSON, as for all other errors of the API.
 */
export const rawFailure: RawForm = (status) => {
  const code = RAW_CODES[status];
  return { contentType: 'application/json', body: failureBody(code, CATALOG_ERRORS[code].message) };
};

/**
 * Creates the HTTP response for an error.
 * @param requestId id of the request in the log
 * @param more additional headers of the response
 */
export function failureResponse(
  { code, status, message, retryAfterS }: CatalogError,
  requestId: string,
  more: Record<string, string> = {},
): Response {
  return passing('application/json', failureBody(code, message), status, {
    'X-Request-Id': requestId,
    ...(retryAfterS !== undefined && { 'Retry-After': String(retryAfterS) }),
    ...more,
  });
}

/**
 * Creates an HTTP response that clients must not cache. A response to a HEAD request has no body, but its
 * `Content-Length` header is the length of the body.
 */
export function passing(type: string, body: string, status = 200, more: Record<string, string> = {}): Response {
  const own = {
    'Content-Type': type,
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
  };
  return new Response(body, { status, headers: { ...OPEN, ...own, ...more } });
}

function failureBody(code: CatalogError['code'], message: string): string {
  return `${JSON.stringify({ error: { code, message } })}\n`;
}
