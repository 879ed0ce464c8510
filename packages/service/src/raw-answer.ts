import { STATUS_CODES } from 'node:http';
import { DavitError, type ErrorCode } from '@davit/api';
import { prefersProblem } from './accept.ts';
import { problemOf } from './problem.ts';

/** Creates answers that are written directly to a connection, because there is no valid request. */
const CODES = {
  400: 'bad_request',
  408: 'request_timeout',
  417: 'expectation_failed',
  431: 'headers_too_large',
  500: 'internal',
} as const satisfies Record<number, ErrorCode>;

export type RawStatus = keyof typeof CODES;

/** Formats an error of a server. */
export type RawForm = (status: RawStatus) => { contentType: string; body: string };

/** Data about a request that cannot be parsed. */
export interface RawFacts {
  requestId: string;
  /** Headers that the server adds to all answers. */
  headers: Readonly<Record<string, string>>;
  /** Header `Accept` of the client, if known. */
  accept?: string | undefined;
  /** Format of the server. Default: one sentence, or a problem document if the client names that type. */
  form?: RawForm | undefined;
}

export interface RawAnswer {
  status: RawStatus;
  headers: Record<string, string | number>;
  body: string;
}

/** Returns an answer that closes its connection. */
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

/** Returns the complete text of an answer in HTTP/1.1, for a connection without a response object. */
export function rawText({ status, headers, body }: RawAnswer): string {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Date: ${new Date().toUTCString()}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Returns the status for a connection whose bytes are not a valid request. */
export function statusOf(code: string | undefined): RawStatus {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  return 400;
}
