/** Parses error responses of the API, for the API client, the CLI and the dashboard. */
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
 * Returns an `Accept` header that requests errors as JSON (RFC 9457) instead of plain text.
 * @param answer content type of successful responses. Default: JSON
 */
export function acceptWithProblem(answer?: string): string {
  return answer === undefined ? `application/json, ${PROBLEM_TYPE}, */*;q=0.5` : `${answer}, ${PROBLEM_TYPE}`;
}

/**
 * Converts an error response to a `DavitError`. If a proxy sent the response instead of Davit, the code is
 * `unexpected_response`.
 */
export function refusal(answer: ReceivedAnswer, text: string): DavitError {
  const { status, headers, url } = answer;
  const problem = mediaTypeOf(answer) === PROBLEM_TYPE ? problemIn(text) : null;
  if (problem === null) return unexpectedResponse(answer, text);
  return errorOf(problem, status, { ...retryAfter(headers), help: helpIn(problem, url) });
}

/** Error body (RFC 9457) from an instance with any version, older or newer. Missing fields get a default. */
type SentProblem = Partial<Omit<Problem, 'code' | 'fields'>> & { code: string; fields?: unknown };

/** Parses an error body as JSON (RFC 9457). Returns `null` if the text is not such JSON. */
function problemIn(text: string): SentProblem | null {
  try {
    const value: unknown = JSON.parse(text);
    const isProblem = typeof (value as { code?: unknown } | null)?.code === 'string';
    return isProblem ? (value as SentProblem) : null;
  } catch {
    // Davit sends errors as JSON. A body that is not JSON is ignored, and the error contains only the HTTP status.
    return null;
  }
}

function errorOf(problem: SentProblem, status: number, options: DavitErrorOptions): DavitError {
  const { detail, fields, retryable, quota, request_id: requestId } = problem;
  const usual = isErrorCode(problem.code) ? ERRORS[problem.code].retryable : mayPass(status);
  // An unknown error code is kept unchanged, because a newer instance may send it.
  return new DavitError(problem.code as ErrorCode, detail || `HTTP ${status}`, {
    ...options,
    ...{ status, quota, requestId, fields: Array.isArray(fields) ? fields.flatMap(fieldIn) : [] },
    retryable: retryable ?? usual,
  });
}

/**
 * Returns the help URL from the field `type` of an error response. The error code is not used, because the instance may
 * have another version and other help pages.
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
