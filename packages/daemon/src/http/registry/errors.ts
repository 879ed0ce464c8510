/** Errors in the format of the registry protocol. Docker and other registry clients show only this format to users. */
import type { DavitError } from '@davit/api';
import type { Reply } from '../bind.ts';

/** Map from HTTP status to error code of the registry protocol. Docker shows the code before the message. */
const CODES: ReadonlyMap<number, string> = new Map([
  [400, 'UNSUPPORTED'],
  [401, 'UNAUTHORIZED'],
  [403, 'DENIED'],
  [429, 'TOOMANYREQUESTS'],
  [503, 'UNAVAILABLE'],
]);

/** Returns an error response with a message for users. */
export function registryError(status: number, message: string, headers: Record<string, string> = {}): Reply {
  return codedError(status, CODES.get(status) ?? 'UNKNOWN', message, headers);
}

/** Returns a registry error response whose error code is not the usual code for the HTTP status. */
export function codedError(status: number, code: string, message: string, headers: Record<string, string> = {}): Reply {
  return { status, body: { errors: [{ code, message }] }, headers: { 'Cache-Control': 'no-store', ...headers } };
}

/** Converts an error of a request into an error response. */
export function registryErrorOf({ status, message, retryAfterS }: DavitError): Reply {
  return registryError(status, message, retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) });
}
