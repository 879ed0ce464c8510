/** Reads an answer that is no success. Every client of the API does it here: typed client, command line and dashboard. */
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
 * `Accept` of a client that reads problem documents. An instance sends an error as text to everybody else.
 * @param answer type of the answer without an error, if the client takes only one; default: JSON before others
 */
export function acceptWithProblem(answer?: string): string {
  return answer === undefined ? `application/json, ${PROBLEM_TYPE}, */*;q=0.5` : `${answer}, ${PROBLEM_TYPE}`;
}

/** What is known of an answer before its body. */
export interface RefusedAnswer {
  status: number;
  headers: { get(name: string): string | null };
}

/**
 * Returns the error that an answer stands for. What no instance wrote, such as the page of a proxy, is
 * `unexpected_response` with the status of the answer.
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

/** A document as another version of the instance may write it: a part that it lacks has a default. */
type SentProblem = Partial<Omit<Problem, 'code' | 'fields'>> & { code: string; fields?: unknown };

/** Returns `null` for text that is no problem document. */
function problemIn(text: string): SentProblem | null {
  try {
    const value: unknown = JSON.parse(text);
    const isProblem = typeof (value as { code?: unknown } | null)?.code === 'string';
    return isProblem ? (value as SentProblem) : null;
  } catch {
    // Something between client and instance cut it off, or wrote it: the status is all that is known.
    return null;
  }
}

function errorOf(problem: SentProblem, status: number, retry: DavitErrorOptions): DavitError {
  const { detail, fields, retryable, quota, request_id: requestId } = problem;
  const usual = isErrorCode(problem.code) ? ERRORS[problem.code].retryable : mayPass(status);
  // A newer instance may have codes that this client does not know: they are passed on as they are.
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
