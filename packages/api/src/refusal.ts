/** Reads error answers. All clients of the API use this code: the typed client, the CLI and the dashboard. */
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
 * Returns the header `Accept` of a client that reads problem documents. Other clients receive errors as text.
 * @param answer content type without an error, if the client accepts only one. Default: JSON before others
 */
export function acceptWithProblem(answer?: string): string {
  return answer === undefined ? `application/json, ${PROBLEM_TYPE}, */*;q=0.5` : `${answer}, ${PROBLEM_TYPE}`;
}

/** Status and headers of an answer, which are known before its body. */
export interface RefusedAnswer {
  status: number;
  headers: { get(name: string): string | null };
}

/**
 * Returns the error of an answer. An answer that is not from an instance, such as a page of a proxy, gets the code
 * `unexpected_response` and its status.
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

/** Problem document of any version of the instance. Missing parts have a default. */
type SentProblem = Partial<Omit<Problem, 'code' | 'fields'>> & { code: string; fields?: unknown };

/** Returns the problem document, or `null` if the text is none. */
function problemIn(text: string): SentProblem | null {
  try {
    const value: unknown = JSON.parse(text);
    const isProblem = typeof (value as { code?: unknown } | null)?.code === 'string';
    return isProblem ? (value as SentProblem) : null;
  } catch {
    // A server between client and instance changed the answer, so only the status is known.
    return null;
  }
}

function errorOf(problem: SentProblem, status: number, retry: DavitErrorOptions): DavitError {
  const { detail, fields, retryable, quota, request_id: requestId } = problem;
  const usual = isErrorCode(problem.code) ? ERRORS[problem.code].retryable : mayPass(status);
  // Unknown codes of newer instances are passed on unchanged.
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
