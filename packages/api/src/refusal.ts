/** Parses error responses of the API, for the API client, the CLI and the dashboard. */
import {
  DavitError,
  type DavitErrorOptions,
  ERRORS,
  type ErrorCode,
  FIELD_CODES,
  type FieldProblem,
  isErrorCode,
} from './errors.ts';
import type { Problem } from './schemas/problem.ts';

const PROBLEM_TYPE = 'application/problem+json';

/**
 * Returns the `Accept` header of a client that reads errors as `application/problem+json`. Other clients receive errors
 * as text.
 * @param answer content type that the client requires for successful responses. Default: JSON is preferred
 */
export function acceptWithProblem(answer?: string): string {
  return answer === undefined ? `application/json, ${PROBLEM_TYPE}, */*;q=0.5` : `${answer}, ${PROBLEM_TYPE}`;
}

/** HTTP status and headers of an error response. */
export interface RefusedAnswer {
  status: number;
  headers: { get(name: string): string | null };
}

/**
 * Converts an error response to a `DavitError`. A response that does not come from an instance gets the code
 * `unexpected_response`. Such a response can come from a proxy.
 */
export function refusal({ status, headers }: RefusedAnswer, text: string): DavitError {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const retry = Number.isFinite(seconds) ? { retryAfterS: seconds } : {};
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  const problem = type === PROBLEM_TYPE ? problemIn(text) : null;
  if (problem !== null) return errorOf(problem, status, retry);
  const requestId = headers.get('x-request-id') ?? undefined;
  const message = (type === 'text/plain' && text.trim()) || `HTTP ${status}`;
  return new DavitError('unexpected_response', message, { ...retry, status, retryable: mayPass(status), requestId });
}

function mayPass(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Problem document (RFC 9457) from any version of the instance. Missing fields get a default. */
type SentProblem = Partial<Omit<Problem, 'code' | 'fields'>> & { code: string; fields?: unknown };

/** Parses a problem document. Returns `null` if the text is not one. */
function problemIn(text: string): SentProblem | null {
  try {
    const value: unknown = JSON.parse(text);
    const isProblem = typeof (value as { code?: unknown } | null)?.code === 'string';
    return isProblem ? (value as SentProblem) : null;
  } catch {
    // The body is not JSON, so it does not come from the instance. The error then contains only the HTTP status.
    return null;
  }
}

function errorOf(problem: SentProblem, status: number, retry: DavitErrorOptions): DavitError {
  const { detail, fields, retryable, quota, request_id: requestId } = problem;
  const usual = isErrorCode(problem.code) ? ERRORS[problem.code].retryable : mayPass(status);
  // Unknown error codes, which newer instances may send, are passed on unchanged.
  return new DavitError(problem.code as ErrorCode, detail || `HTTP ${status}`, {
    ...retry,
    ...{ status, quota, requestId, fields: Array.isArray(fields) ? fields.flatMap(fieldIn) : [] },
    retryable: retryable ?? usual,
  });
}

function fieldIn(value: unknown): FieldProblem[] {
  const { path, code, message } = (value ?? {}) as Partial<Record<keyof FieldProblem, unknown>>;
  if (typeof path !== 'string' || typeof message !== 'string') return [];
  const isKnown = typeof code === 'string' && Object.hasOwn(FIELD_CODES, code);
  return [{ path, code: isKnown ? (code as FieldProblem['code']) : 'invalid', message }];
}
