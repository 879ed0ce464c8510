import { STATUS_CODES } from 'node:http';
import { DavitError, type ErrorCode } from '@davit/api';
import { prefersProblem } from './accept.ts';
import { problemOf } from './problem.ts';

/** Maps an HTTP status to an error code, for error responses that the HTTP listener itself creates. */
const CODES = {
  400: 'bad_request',
  408: 'request_timeout',
  417: 'expectation_failed',
  431: 'headers_too_large',
  500: 'internal',
} as const satisfies Record<number, ErrorCode>;

export type RawStatus = keyof typeof CODES;

export type RawForm = (status: RawStatus) => { contentType: string; body: string };

/** Data that is needed for the error response to an HTTP request that cannot be parsed. */
export interface RawFacts {
  requestId: string;
  /** Headers that the server adds to all HTTP responses. */
  headers: Readonly<Record<string, string>>;
  /** `Accept` header of the HTTP request. `undefined` if the request could not be parsed. */
  accept?: string | undefined;
  /**
   * Format of error responses. The default is one sentence of text, or a problem document if the header `Accept`
   * prefers this format.
   */
  form?: RawForm | undefined;
}

export interface RawAnswer {
  status: RawStatus;
  headers: Record<string, string | number>;
  body: string;
}

/** Creates an error response for an invalid HTTP request. The server closes the connection after the response. */
export function rawAnswer(status: RawStatus, facts: RawFacts): RawAnswer {
  const { contentType, body } = facts.form ? facts.form(status) : sentence(status, facts);
  const own = {
    'Content-Type': contentType,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'X-Request-Id': facts.requestId,
    Connection: 'close',
    'Content-Length': Buffer.byteLength(body),
  };
  return { status, headers: { ...facts.headers, ...own }, body };
}

function sentence(status: RawStatus, { requestId, accept = '' }: RawFacts): ReturnType<RawForm> {
  const error = new DavitError(CODES[status]);
  return prefersProblem(accept)
    ? { contentType: 'application/problem+json', body: JSON.stringify(problemOf(error, requestId)) }
    : { contentType: 'text/plain; charset=utf-8', body: `${error.message}\n` };
}

/**
 * Returns the complete text of an HTTP/1.1 response. This text is needed for a connection for which Node has no
 * `ServerResponse` object.
 */
export function rawText({ status, headers, body }: RawAnswer): string {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Date: ${new Date().toUTCString()}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Returns the HTTP status for an error code of Node's HTTP parser. */
export function statusOf(code: string | undefined): RawStatus {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  return 400;
}
