/**
 * The closed list of what can go wrong at the API.
 *
 * Everything below the HTTP edge throws a {@link DavitError} with one of these codes and a sentence for the caller; the
 * status is decided here and nowhere else. A new code is one entry, documented by its own text.
 */

export interface ErrorKind {
  status: number;
  /** Used when the thrower has nothing more precise to say: one sentence that says what to do. */
  message: string;
  /** The same request may succeed later without being changed. */
  retryable: boolean;
}

export const ERRORS = {
  bad_request: {
    status: 400,
    message: 'The request is not valid HTTP for this server: send it again with another client.',
    retryable: false,
  },
  invalid_json: { status: 400, message: 'The body must be one valid JSON object.', retryable: false },
  invalid_input: {
    status: 400,
    message: 'A field of the request is not valid: see /docs for what it takes.',
    retryable: false,
  },
  unauthorized: {
    status: 401,
    message: 'Nobody is signed in: send an API key as «Authorization: Bearer <key>» or sign in.',
    retryable: false,
  },
  forbidden: { status: 403, message: 'Your role does not allow this: ask an admin to do it.', retryable: false },
  cross_site: {
    status: 403,
    message: 'A cross-site request was refused: call the API from its own origin or with an API key.',
    retryable: false,
  },
  not_found: {
    status: 404,
    message: 'There is no such thing here, or you do not see it: check its name.',
    retryable: false,
  },
  no_such_route: {
    status: 404,
    message: 'There is no such endpoint; see /docs for those there are.',
    retryable: false,
  },
  method_not_allowed: {
    status: 405,
    message: 'This endpoint does not take that method: the header «Allow» names those it takes.',
    retryable: false,
  },
  request_timeout: {
    status: 408,
    message: 'The request was not sent within the time there is for it: send it again.',
    retryable: true,
  },
  conflict: {
    status: 409,
    message: 'This is not possible in the present state: read the thing again and decide anew.',
    retryable: false,
  },
  precondition_failed: {
    status: 412,
    message: 'The thing has changed since it was read: read it again.',
    retryable: false,
  },
  payload_too_large: {
    status: 413,
    message: 'The body is larger than what is taken here: send a smaller one.',
    retryable: false,
  },
  unsupported_media_type: {
    status: 415,
    message: 'The body must be JSON with «Content-Type: application/json».',
    retryable: false,
  },
  expectation_failed: {
    status: 417,
    message: 'The expectation of the request cannot be met: send it without «Expect».',
    retryable: false,
  },
  idempotency_mismatch: {
    status: 422,
    message: 'This Idempotency-Key was used for another request: take a new one.',
    retryable: false,
  },
  template_invalid: {
    status: 422,
    message: 'The template is not one that this instance can install.',
    retryable: false,
  },
  too_many_requests: { status: 429, message: 'Too many attempts: wait a moment and try again.', retryable: true },
  headers_too_large: {
    status: 431,
    message: 'The request headers are too large: send fewer or shorter ones.',
    retryable: false,
  },
  internal: {
    status: 500,
    message: 'Something went wrong inside Davit; the log has the details under this request id.',
    retryable: true,
  },
  catalog_unavailable: {
    status: 502,
    message: 'The catalog of templates does not answer: try again shortly, or check its address in the settings.',
    retryable: true,
  },
  unavailable: { status: 503, message: 'This cannot be done right now: try again shortly.', retryable: true },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

export interface DavitErrorOptions {
  /** What the log shall know and the caller shall not. */
  cause?: unknown;
  /** Seconds, sent as Retry-After. */
  retryAfterS?: number;
}

/** A failure with a public half (code and message) and an internal half (`cause`), which never leaves the process. */
export class DavitError extends Error {
  override name = 'DavitError';
  readonly code: ErrorCode;
  readonly retryAfterS: number | undefined;

  constructor(code: ErrorCode, message: string = ERRORS[code].message, options: DavitErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfterS = options.retryAfterS;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}
