/** Error codes of API responses to refused requests. Clients must check the error code, never the error message. */

import type { QuotaRefusal } from './schemas/quota.ts';

export interface ErrorKind {
  status: number;
  /** Default error message. It is used if the error has no more specific message. */
  message: string;
  /** Meaning of the error code, shown in the error reference. */
  meaning: string;
  /** Action of the API caller that can solve the error, shown in the error reference. */
  action: string;
  /** Whether the same request may succeed if the caller repeats it later. */
  retryable: boolean;
}

/** Error codes of refused requests. `codes.ts` adds the codes of other errors, such as a failed image pull. */
export const ERRORS = {
  bad_request: {
    status: 400,
    message: 'The request is not valid HTTP. Send the request again with another HTTP client.',
    meaning: 'The request is not valid HTTP.',
    action: 'Use another HTTP client.',
    retryable: false,
  },
  invalid_json: {
    status: 400,
    message: 'The body is not a valid JSON object. Correct the body.',
    meaning: 'The body is not a valid JSON object in UTF-8.',
    action: 'Correct the body.',
    retryable: false,
  },
  invalid_input: {
    status: 400,
    message: 'A field of the request is not valid. Check the fields in the API reference at /docs.',
    meaning: 'A field of the body, the query or a header is not valid.',
    action: 'Correct the fields that `fields` lists.',
    retryable: false,
  },
  unauthorized: {
    status: 401,
    message:
      'The request has no valid API key or session. Send an API key as “Authorization: Bearer <key>”, or sign in.',
    meaning: 'The request has no valid API key or session.',
    action: 'Sign in, or send an API key that has not expired and was not revoked.',
    retryable: false,
  },
  forbidden: {
    status: 403,
    message: 'Your role does not allow this operation. Ask an admin to do it.',
    meaning: 'The role of the caller does not allow the operation, or the operation requires access to more projects.',
    action: 'Ask an admin to do it, or to change your permissions.',
    retryable: false,
  },
  cross_site: {
    status: 403,
    message:
      'Davit refused this request because a page of another website sent it. Send the request from the origin of the instance, or with an API key.',
    meaning: 'A page of another website sent the request. Such a request could misuse the session of a signed-in user.',
    action: 'Call the API from the origin of the instance, or with an API key.',
    retryable: false,
  },
  not_found: {
    status: 404,
    message: 'This resource does not exist, or you cannot access it. Check its name.',
    meaning: 'The resource does not exist, or the caller has no access to it.',
    action: 'Check the name.',
    retryable: false,
  },
  no_such_route: {
    status: 404,
    message: 'No endpoint has this path. Check the path in the API reference at /docs.',
    meaning: 'No endpoint has this path.',
    action: 'Check the path in the API reference at `/docs`.',
    retryable: false,
  },
  method_not_allowed: {
    status: 405,
    message: 'This endpoint does not support the method. Use one of the methods in the header “Allow”.',
    meaning: 'The endpoint does not support this method.',
    action: 'Use one of the methods in the header `Allow`.',
    retryable: false,
  },
  request_timeout: {
    status: 408,
    message: 'The request did not arrive in time. Send the request again.',
    meaning: 'The client did not send the whole request in time.',
    action: 'Send the request again.',
    retryable: true,
  },
  conflict: {
    status: 409,
    message:
      'The current state of the resource does not allow this operation. Check the state of the resource before you try again.',
    meaning: 'The current state of the resource does not allow the operation.',
    action: 'Check the state of the resource before you try again.',
    retryable: false,
  },
  quota_exceeded: {
    status: 409,
    message:
      'The operation would exceed the quota of the project. Request fewer resources, or ask an admin with access to all projects to raise the quota.',
    meaning: 'The operation would exceed the quota of the project.',
    action:
      'Request fewer resources, or ask an admin with access to all projects to raise the limit. The field `quota` of the error contains the limit.',
    retryable: false,
  },
  already_installed: {
    status: 409,
    message: 'This release of the template is already installed. Specify another release.',
    meaning: 'The update specifies the release that is already installed.',
    action: 'No action is necessary. To install another release, specify its tag.',
    retryable: false,
  },
  source_changed: {
    status: 409,
    message:
      'The catalog now lists another Git repository under the name of this template. Check the new repository. If you trust it, uninstall the installation and install the template again.',
    meaning: 'The catalog now lists another Git repository under the name of the installed template.',
    action: 'Check the new repository. If you trust it, uninstall the installation and install the template again.',
    retryable: false,
  },
  check_failed: {
    status: 409,
    message:
      'The check of the values failed, so Davit did not store the values. Correct the values, or send check=false to store them without a check.',
    meaning: 'Davit did not store a registry, an object store or a DNS provider, because its check failed.',
    action: 'Correct the values, or send `check=false` to store the values without a check.',
    retryable: false,
  },
  precondition_failed: {
    status: 412,
    message: 'The resource has changed since you read it. Read the resource again, then repeat your change.',
    meaning: 'The resource has changed: its `ETag` differs from the value of the header `If-Match`.',
    action: 'Read the resource again, then repeat your change.',
    retryable: false,
  },
  payload_too_large: {
    status: 413,
    message: 'The body is larger than the limit of the endpoint. Send a smaller body.',
    meaning: 'The body is larger than the limit of the endpoint.',
    action: 'Send a smaller body.',
    retryable: false,
  },
  unsupported_media_type: {
    status: 415,
    message: 'The body is not JSON. Send JSON with the header `Content-Type: application/json`.',
    meaning: 'The type of the body is not JSON.',
    action: 'Send JSON with the header `Content-Type: application/json`.',
    retryable: false,
  },
  expectation_failed: {
    status: 417,
    message: 'The server does not support the header “Expect”. Send the request without this header.',
    meaning: 'The server does not support the value of the header `Expect`.',
    action: 'Send the request without `Expect`.',
    retryable: false,
  },
  idempotency_mismatch: {
    status: 422,
    message: 'This Idempotency-Key was already used for a different request. Use a new key.',
    meaning: 'The `Idempotency-Key` was already used for a different request.',
    action: 'Use a new key.',
    retryable: false,
  },
  template_invalid: {
    status: 422,
    message: 'This instance cannot install the template. Correct the template, or choose another one.',
    meaning: 'The template has errors, needs another version of Davit, or differs from its entry in the catalog.',
    action: 'Correct the template, or choose another one.',
    retryable: false,
  },
  too_many_requests: {
    status: 429,
    message: 'You sent too many requests. Wait a moment, then try again.',
    meaning: 'The caller sent too many requests.',
    action: 'Wait for the number of seconds in the header `Retry-After`, then send the request again.',
    retryable: true,
  },
  headers_too_large: {
    status: 431,
    message: 'The headers of the request are too large. Send fewer or shorter headers.',
    meaning: 'The headers of the request are too large.',
    action: 'Send fewer or shorter headers.',
    retryable: false,
  },
  internal: {
    status: 500,
    message:
      'An internal error occurred in Davit. To find the reason, search the log of the instance for the request ID.',
    meaning: 'The instance has an internal error.',
    action: 'To find the reason, search the log of the instance for the request ID.',
    retryable: true,
  },
  catalog_unavailable: {
    status: 502,
    message:
      'The template catalog does not respond. Try again later, or check the address of the catalog in the settings.',
    meaning: 'The template catalog, or the Git host of a template, does not respond or sends an invalid response.',
    action: 'Try again later, or check the address of the catalog in the settings.',
    retryable: true,
  },
  unexpected_response: {
    status: 502,
    message:
      'The response does not come from a Davit instance. Check the address and the proxies in front of the instance.',
    meaning:
      'The error response did not come from an instance, but from another server, for example a proxy. Only clients report this code, with the status of the response.',
    action: 'Check the address of the instance and the proxies in front of the instance.',
    retryable: true,
  },
  unavailable: {
    status: 503,
    message: 'The instance cannot execute this request at the moment. Try again later.',
    meaning:
      'The instance cannot execute the request at the moment, for example because the instance is starting or stopping.',
    action: 'Try again later.',
    retryable: true,
  },
  engine_unavailable: {
    status: 503,
    message: 'Docker does not respond, so nothing was changed. Find the reason at /readyz, then try again.',
    meaning: 'Docker does not respond.',
    action: 'Find the reason at `/readyz`, then try again.',
    retryable: true,
  },
  proxy_unavailable: {
    status: 503,
    message:
      'The proxy does not respond. Davit applies saved changes when the proxy responds again. Check the container of the proxy, then try again.',
    meaning: 'The instance cannot reach its proxy. The instance applies saved changes when the proxy responds again.',
    action: 'Check the container of the proxy, then try again.',
    retryable: true,
  },
  registry_unavailable: {
    status: 503,
    message: 'The registry of the instance does not respond. Try again later.',
    meaning: 'The registry of the instance is not running or does not respond.',
    action: 'Try again later, or find the reason in the registry settings of the instance.',
    retryable: true,
  },
  storage_unavailable: {
    status: 503,
    message: 'The instance cannot store changes at the moment. Check the disk of the server.',
    meaning: 'The disk of the server is full or has errors, or the database of the instance is damaged.',
    action: 'Free space on the disk, or find the reason in the log of the instance.',
    retryable: true,
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

/** Error codes for a component of the instance that is temporarily unavailable, such as Docker or the proxy. */
export const UNAVAILABLE_CODES = [
  'unavailable',
  'engine_unavailable',
  'proxy_unavailable',
  'registry_unavailable',
  'storage_unavailable',
] as const satisfies readonly ErrorCode[];

export function isUnavailable({ code }: Pick<DavitError, 'code'>): boolean {
  return UNAVAILABLE_CODES.some((one) => one === code);
}

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code);
}

/** All codes for invalid fields of a request, with their meaning. */
export const FIELD_CODES = {
  required: 'The field is missing.',
  unknown: 'The field does not exist in this request.',
  wrong_type: 'The value has the wrong JSON type.',
  invalid_format: 'The text does not have the required format.',
  invalid_value: 'The value is not one of the possible values.',
  too_small: 'The number is too small, or the text or list is too short.',
  too_large: 'The number is too large, or the text, list or object is too long.',
  duplicate: 'The same value occurs twice, or two fields contradict each other.',
  taken: 'Another resource has this name, host, port or path.',
  not_found: 'The field refers to a resource that does not exist or that the caller cannot access.',
  not_allowed: 'The field or its value is not allowed: it is reserved, or this resource does not support it.',
  mismatch: 'The value must repeat another value, such as the name of the resource to delete, but differs from it.',
  invalid: 'The value is not valid for another reason.',
} as const;

export type FieldCode = keyof typeof FIELD_CODES;

export interface FieldProblem {
  /**
   * Path of the invalid field, such as `health.path` or `domains.0.host`. For an invalid header, this is the name of
   * the header.
   */
  path: string;
  code: FieldCode;
  /** Error message in one sentence, without the name of the field. */
  message: string;
}

export interface DavitErrorOptions {
  /** Internal cause of the error. The daemon writes the cause to its log, but never sends it to the caller. */
  cause?: unknown;
  /** Value of the header `Retry-After` in seconds. */
  retryAfterS?: number | undefined;
  /** Project limit that the request would exceed. Only set for the code `quota_exceeded`. */
  quota?: QuotaRefusal | undefined;
  fields?: readonly FieldProblem[] | undefined;
  /** Whether the same request may succeed if the caller repeats it later. Default: the value for the error code. */
  retryable?: boolean | undefined;
  /** HTTP status of the error response. Only API clients set this field. Default: the HTTP status of the error code. */
  status?: number | undefined;
  requestId?: string | undefined;
  /**
   * URL of the help section about this error. Only API clients set this field, from the error response. Default:
   * `null`.
   */
  help?: string | null | undefined;
}

/** Error of the API. The field `cause` is only written to the daemon's log. The error response does not contain it. */
export class DavitError extends Error {
  override name = 'DavitError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly retryAfterS: number | undefined;
  readonly quota: QuotaRefusal | undefined;
  readonly fields: readonly FieldProblem[];
  readonly requestId: string | undefined;
  /**
   * URL of the help section about this error, or only its path if the response has no known URL. `null` if there is no
   * help section. Only API clients set this field.
   */
  readonly help: string | null;

  constructor(code: ErrorCode, message: string = ERRORS[code].message, options: DavitErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status ?? ERRORS[code].status;
    this.retryable = options.retryable ?? ERRORS[code].retryable;
    this.retryAfterS = options.retryAfterS;
    this.quota = options.quota;
    this.fields = options.fields ?? [];
    this.requestId = options.requestId;
    this.help = options.help ?? null;
  }
}

/**
 * Creates an error for an invalid field of a request.
 * @param message one sentence without the name of the field, because the error message starts with the path of the
 * field
 */
export function invalidField(path: string, code: FieldCode, message: string, options?: FieldOptions): DavitError {
  return refusedField({ path, code, message }, options);
}

/**
 * Creates an error for an invalid field of a request. The error message consists of the field's path and the field's
 * message.
 */
export function refusedField(
  field: FieldProblem,
  { code = 'invalid_input', ...options }: FieldOptions = {},
): DavitError {
  return new DavitError(code, `${field.path}: ${field.message}`, { ...options, fields: [field] });
}

/**
 * Creates the error for a name, host or path that another resource already uses.
 * @param message complete sentence with the other resource and a solution
 */
export function takenField(path: string, message: string): DavitError {
  return new DavitError('conflict', message, { fields: [{ path, code: 'taken', message }] });
}

export interface FieldOptions {
  /** Error code. Default: `invalid_input`. */
  code?: ErrorCode;
  cause?: unknown;
  quota?: QuotaRefusal;
}
