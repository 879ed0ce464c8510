import { STATUS_CODES } from 'node:http';
import { DavitError, type ErrorCode } from '@davit/api';
import { prefersProblem } from './accept.ts';
import { problemOf } from './problem.ts';

/** Answers that are written to a connection itself, because there is no request to answer. */
const CODES = {
  400: 'bad_request',
  408: 'request_timeout',
  417: 'expectation_failed',
  431: 'headers_too_large',
  500: 'internal',
} as const satisfies Record<number, ErrorCode>;

export type RawStatus = keyof typeof CODES;

/** How a server words what went wrong. */
export type RawForm = (status: RawStatus) => { contentType: string; body: string };

/** What is known of a request that cannot be read. */
export interface RawFacts {
  requestId: string;
  /** Of the server itself, on every answer. */
  headers: Readonly<Record<string, string>>;
  /** What the client wants, where that could be read. */
  accept?: string | undefined;
  /** The server's own form; absent: one sentence, or a problem document for who asks for it by name. */
  form?: RawForm | undefined;
}

export interface RawAnswer {
  status: RawStatus;
  headers: Record<string, string | number>;
  body: string;
}

/** An answer that ends its connection. */
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

/** The whole text of an answer in HTTP/1.1, for a connection without a response to write it with. */
export function rawText({ status, headers, body }: RawAnswer): string {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Date: ${new Date().toUTCString()}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** The status for a connection whose bytes could not be read as a request. */
export function statusOf(code: string | undefined): RawStatus {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  return 400;
}
