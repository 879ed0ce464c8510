import { DavitError, ERRORS, type ErrorCode } from './errors.ts';

/** What an answer that is no success says, with the server's sentence. */
export function refusal({ status, headers }: Response, text: string): DavitError {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const message = text.trim() || `HTTP ${status}`;
  return new DavitError(codeOf(status), message, Number.isFinite(seconds) ? { retryAfterS: seconds } : {});
}

function codeOf(status: number): ErrorCode {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  return codes.find((code) => ERRORS[code].status === status) ?? 'internal';
}
