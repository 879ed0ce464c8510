import { type DavitError, ERRORS, type Problem } from '@davit/api';

/** An error as a problem document (RFC 9457). */
export function problemOf({ code, status, message }: DavitError, requestId: string): Problem {
  return { type: 'about:blank', title: ERRORS[code].message, status, detail: message, code, request_id: requestId };
}
