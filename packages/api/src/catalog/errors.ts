/** Errors of the catalog API. Codes may be added, but the status of a code never changes. */
export const CATALOG_ERRORS = {
  invalid_query: { status: 400, message: 'A parameter of the query is not one that this route takes.' },
  bad_request: {
    status: 400,
    message: 'The request is not valid HTTP: write what is not ASCII in its address as %XX, or use another client.',
  },
  not_found: { status: 404, message: 'There is no such thing here: check the address.' },
  method_not_allowed: {
    status: 405,
    message: 'This address does not take that method: the header Allow names those it takes.',
  },
  request_timeout: {
    status: 408,
    message: 'The request was not sent within the time there is for it: send it again.',
  },
  too_large: { status: 413, message: 'The body is larger than what is taken here: send a smaller one.' },
  unsupported_media_type: { status: 415, message: 'The body must be a template, sent as application/yaml.' },
  expectation_failed: { status: 417, message: 'The expectation of the request cannot be met: send it without Expect.' },
  headers_too_large: {
    status: 431,
    message: 'The headers of the request are too large: send fewer or shorter ones.',
  },
  internal: { status: 500, message: 'Something went wrong in the catalog: its log says what.' },
  unavailable: { status: 503, message: 'The catalog cannot answer right now: try again shortly.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type CatalogErrorCode = keyof typeof CATALOG_ERRORS;

/** Error of the catalog, with its code and a message for the client. */
export class CatalogError extends Error {
  override name = 'CatalogError';
  /** Error code. Only clients use `unexpected_response`, for an answer that is not from a catalog. */
  readonly code: CatalogErrorCode | 'unexpected_response';
  readonly status: number;
  /** Seconds of `Retry-After`. */
  readonly retryAfterS: number | undefined;

  constructor(
    code: CatalogErrorCode,
    message?: string,
    options?: ErrorOptions & { retryAfterS?: number; status?: number },
  );
  constructor(
    code: 'unexpected_response',
    message: string,
    options: ErrorOptions & { retryAfterS?: number; status: number },
  );
  constructor(
    code: CatalogErrorCode | 'unexpected_response',
    message?: string,
    options: ErrorOptions & { retryAfterS?: number; status?: number } = {},
  ) {
    const known = code === 'unexpected_response' ? undefined : CATALOG_ERRORS[code];
    super(message ?? known?.message, options);
    this.code = code;
    this.status = options.status ?? known?.status ?? 502;
    this.retryAfterS = options.retryAfterS;
  }
}
