import { STATUS_CODES } from 'node:http';
import { ERRORS } from '@davit/api';

/** Answers that are written to a connection itself, because there is no request to answer. */
const SENTENCES = {
  400: ERRORS.bad_request.message,
  408: ERRORS.request_timeout.message,
  417: ERRORS.expectation_failed.message,
  431: ERRORS.headers_too_large.message,
} as const;

export type RawStatus = keyof typeof SENTENCES;

/** The whole text of an HTTP/1.1 answer that ends its connection. */
export function rawAnswer(status: RawStatus, requestId: string): string {
  const body = `${SENTENCES[status]}\n`;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(rawHeaders(status, requestId)).map(([name, value]) => `${name}: ${value}`),
    `Date: ${new Date().toUTCString()}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

export function rawHeaders(status: RawStatus, requestId: string): Record<string, string | number> {
  return {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    Connection: 'close',
    'Content-Length': Buffer.byteLength(SENTENCES[status]) + 1,
  };
}

export function rawBody(status: RawStatus): string {
  return `${SENTENCES[status]}\n`;
}

/** The status for a connection whose bytes could not be read as a request. */
export function statusOf(code: string | undefined): RawStatus {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
  return 400;
}
