import { type DavitError, ERRORS, helpPath, type Problem } from '@davit/api';

/** Converts an error to a problem document (RFC 9457). */
export function problemOf({ code, status, message, fields, retryable, quota }: DavitError, requestId: string): Problem {
  return {
    type: helpPath(code, ...fields.map((field) => field.code)) ?? 'about:blank',
    title: ERRORS[code].message,
    ...{ status, detail: message, code, fields: [...fields], retryable },
    ...(quota && { quota }),
    request_id: requestId,
  };
}
