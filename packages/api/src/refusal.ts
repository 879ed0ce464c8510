/** Parses error responses of the API. The API client, the CLI and the dashboard use this file. */
import { mayPass, mediaTypeOf, type ReceivedAnswer, retryAfter, unexpectedResponse } from './answer.ts';
import {
  DavitError,
  type DavitErrorOptions,
  ERRORS,
  type ErrorCode,
  FIELD_CODES,
  type FieldProblem,
  isErrorCode,
} from './errors.ts';
import { isHelpPath } from './help.ts';
import type { Problem } from './schemas/problem.ts';

const PROBLEM_TYPE = 'application/problem+json';

/**
 * Returns an `Accept` header that requests JSON errors (RFC 9457) instead of plain text errors.
 * @param answer content type of successful responses. Default: JSON
 */
export function acceptWithProblem(answer?: string): string {
  return answer === undefined ? `application/json, ${PROBLEM_TYPE}, */*;q=0.5` : `${answer}, ${PROBLEM_TYPE}`;
}

/**
 * Converts an error response to a `DavitError`. The code is `unexpected_response` if the response comes from a proxy
 * and not from Davit.
 */
export function refusal(answer: ReceivedAnswer, text: string): DavitError {
  const { status, headers, url } = answer;
  const problem = mediaTypeOf(answer) === PROBLEM_TYPE ? problemIn(text) : null;
  if (problem === null) return unexpectedResponse(answer, text);
  return errorOf(problem, status, { ...retryAfter(headers), help: helpIn(problem, url) });
}

/** Error body (RFC 9457) of an instance, which may have an older or newer version. Missing fields get a default. */
type SentProblem = Partial<Omit<Problem, 'code' | 'fields'>> & { code: string; fields?: unknown };

/** Parses an error body in JSON format (RFC 9457). Returns `null` if the text has another format. */
function problemIn(text: string): SentProblem | null {
  try {
    const value: unknown = JSON.parse(text);
    const isProblem = typeof (value as { code?: unknown } | null)?.code === 'string';
    return isProblem ? (value as SentProblem) : null;
  } catch {
    // Davit sends errors as JSON. If a body is not JSON, it is ignored, and the error contains only the HTTP status.
    return null;
  }
}

function errorOf(problem: SentProblem, status: number, options: DavitErrorOptions): DavitError {
  const { detail, fields, retryable, quota, request_id: requestId } = problem;
  const usual = isErrorCode(problem.code) ? ERRORS[problem.code].retryable : mayPass(status);
  // An unknown error code is not changed, because an instance with a newer version may send it.
  return new DavitError(problem.code as ErrorCode, detail || `HTTP ${status}`, {
    ...options,
    ...{ status, quota, requestId, fields: Array.isArray(fields) ? fields.flatMap(fieldIn) : [] },
    retryable: retryable ?? usual,
  });
}

/**
 * Returns the help URL from the field `type` of an error response. The error code is not used, because an instance with
 * another version may have other help pages.
 */
function helpIn({ type }: SentProblem, url = ''): string | null {
  if (!isHelpPath(type)) return null;
  return url === '' ? type : new URL(type, url).href;
}

function fieldIn(value: unknown): FieldProblem[] {
  const { path, code, message } = (value ?? {}) as Partial<Record<keyof FieldProblem, unknown>>;
  if (typeof path !== 'string' || typeof message !== 'string') return [];
  const isKnown = typeof code === 'string' && Object.hasOwn(FIELD_CODES, code);
  return [{ path, code: isKnown ? (code as FieldProblem['code']) : 'invalid', message }];
}
