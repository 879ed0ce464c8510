/** Error codes of the catalog API. A later version may add codes, but it never changes the HTTP status of a code. */
export const CATALOG_ERRORS = {
  invalid_query: { status: 400, message: 'A query parameter is not valid. Check the parameters in the API reference.' },
  bad_request: {
    status: 400,
    message: 'The request is not valid HTTP. Encode non-ASCII characters in the address as %XX, or use another client.',
  },
  not_found: { status: 404, message: 'The resource does not exist. Check the address.' },
  method_not_allowed: {
    status: 405,
    message: 'This address does not support the method. Use one of the methods in the header Allow.',
  },
  request_timeout: {
    status: 408,
    message: 'The request did not arrive in time. Send the request again.',
  },
  too_large: { status: 413, message: 'The body is too large. Send a smaller body.' },
  unsupported_media_type: {
    status: 415,
    message: 'The body must be a template. Send the template with the content type application/yaml.',
  },
  expectation_failed: {
    status: 417,
    message: 'The header Expect is not supported. Send the request without this header.',
  },
  headers_too_large: {
    status: 431,
    message: 'The headers of the request are too large. Send fewer or shorter headers.',
  },
  internal: { status: 500, message: 'The catalog has an internal error. Try again later.' },
  unavailable: { status: 503, message: 'The catalog is temporarily unavailable. Try again later.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type CatalogErrorCode = keyof typeof CATALOG_ERRORS;

/**
 * Error of a request to the catalog API, with error code and HTTP status. Both the catalog server and its client throw
 * this error.
 */
export class CatalogError extends Error {
  override name = 'CatalogError';
  /**
   * Error code of the template catalog. If the response does not come from a catalog, the API client sets
   * `unexpected_response`.
   */
  readonly code: CatalogErrorCode | 'unexpected_response';
  readonly status: number;
  /** Value of the header `Retry-After` in seconds. `undefined` if the header is absent. */
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
