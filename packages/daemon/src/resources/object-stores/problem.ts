/**
 * Errors of object stores. Each error has a message of one sentence that says what the user can do. The message never
 * contains secrets.
 */

/**
 * Kind of problem. `unreachable` means that a later attempt may succeed. `refused` means that the access keys or their
 * permissions are wrong. `missing` means that the bucket or object does not exist. `full` means that the object store
 * has no space. `conflict` means that the current state does not allow the operation. `forbidden` means that the
 * endpoint has a private address that is not allowed.
 */
export type StoreProblemKind = 'unreachable' | 'refused' | 'missing' | 'full' | 'conflict' | 'forbidden';

/**
 * Summary of the S3 server's response for the log. The summary has only codes, because messages of the server could
 * contain secrets.
 */
export interface StoreAnswer {
  code: string;
  /** HTTP status of the S3 server's response, or 0 if there was no HTTP response. */
  status: number;
  /** Correct region of the bucket, as reported by the S3 server. */
  region?: string;
}

export class StoreProblem extends Error {
  override name = 'StoreProblem';
  readonly kind: StoreProblemKind;
  /**
   * Response of the S3 server, for the log. It is `null` if there was no response, or if the error message already
   * contains all details.
   */
  readonly answered: StoreAnswer | null;

  constructor(kind: StoreProblemKind, message: string, answered: StoreAnswer | null = null, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.answered = answered;
  }
}

const WITHOUT_ADDRESS: Record<StoreProblemKind, (store: string) => string> = {
  unreachable: (store) => `The object store ${store} cannot be reached.`,
  refused: (store) => `The object store ${store} refuses the access keys, or the keys lack a permission.`,
  missing: (store) => `The object store ${store} does not have the bucket or the object.`,
  full: (store) => `The object store ${store} is full.`,
  conflict: (store) => `The object store ${store} cannot execute the request in its current state.`,
  // Use the message of `unreachable`. Another message would show that the name exists in the private network.
  forbidden: (store) => `The object store ${store} cannot be reached.`,
};

/** Returns an error message without the address of the object store, for users who must not see the address. */
export function withoutAddress(store: string, { kind }: StoreProblem): string {
  return `${WITHOUT_ADDRESS[kind](store)} Ask an admin with access to all projects to check the object store.`;
}

export interface StoreRequest {
  /** Host and port of the object store, as shown in the error message. */
  host: string;
  region: string;
  /** S3 operation as a verb phrase for the error sentence, for example `list buckets`. */
  what: string;
  bucket?: string | undefined;
  key?: string | undefined;
}

/** Fields of errors that the AWS SDK or a network socket throws. */
interface Failure {
  name?: unknown;
  code?: unknown;
  Code?: unknown;
  Region?: unknown;
  cause?: unknown;
  errors?: unknown;
  $metadata?: { httpStatusCode?: number };
}

/**
 * Converts an error of the AWS SDK or of a socket to a StoreProblem. After an abort, returns the reason of the signal.
 * Returns unknown errors unchanged.
 */
export function storeProblemOf(failure: unknown, asked: StoreRequest, signal?: AbortSignal): unknown {
  if (failure instanceof StoreProblem) return failure;
  if (signal?.aborted) return signal.reason;
  if (typeof failure !== 'object' || failure === null) return failure;
  const found = failure as Failure;
  const { host } = asked;
  const connection = connectionProblem(codesOf(found), host);
  if (connection !== null) return new StoreProblem('unreachable', connection);
  const code = wordOf(found.Code) ?? wordOf(found.name) ?? 'Error';
  const status = found.$metadata?.httpStatusCode ?? 0;
  const { kind, message } = answeredProblem(code, status, asked) ?? {
    kind: status === 0 ? ('unreachable' as const) : ('refused' as const),
    message: status === 0 ? `${host} does not respond like an object store. Check its address.` : refusedTo(asked),
  };
  const region = wordOf(found.Region);
  return new StoreProblem(kind, message, { code, status, ...(region !== null && { region }) });
}

function refusedTo({ host, what }: StoreRequest): string {
  return `${host} refused to ${what}. The log of the instance contains its response.`;
}

function answeredProblem(code: string, status: number, asked: StoreRequest): StoreProblem | null {
  return (
    keyProblem(code, asked) ??
    addressProblem(code, status, asked) ??
    stateProblem(code, status, asked) ??
    rightsProblem(code, status, asked) ??
    loadProblem(code, status, asked)
  );
}

function keyProblem(code: string, { host }: StoreRequest): StoreProblem | null {
  switch (code) {
    case 'InvalidAccessKeyId':
    case 'InvalidToken':
    case 'UnrecognizedClientException':
      return new StoreProblem(
        'refused',
        `${host} does not know this access key. Check that the key is correct and still exists.`,
      );
    case 'SignatureDoesNotMatch':
      return new StoreProblem(
        'refused',
        `${host} reports that the secret key does not belong to the access key. Set both keys again.`,
      );
    case 'RequestTimeTooSkewed':
      return new StoreProblem(
        'refused',
        `The clocks of this server and of ${host} differ too much for a valid signature. Correct the clock of this server.`,
      );
    default:
      return null;
  }
}

const WRONG_REGION = [
  ...['AuthorizationHeaderMalformed', 'AuthorizationQueryParametersError', 'IllegalLocationConstraintException'],
  'InvalidRegionName',
];

function addressProblem(code: string, status: number, asked: StoreRequest): StoreProblem | null {
  const { host, region } = asked;
  if (WRONG_REGION.includes(code)) {
    return new StoreProblem(
      'refused',
      `${host} does not accept the region “${region}”. Set the region of the buckets.`,
    );
  }
  if (status < 300 || status > 399) return null;
  return new StoreProblem(
    'refused',
    `${host} redirects to another address, and Davit does not follow redirects. Set the address and the region of the bucket.`,
  );
}

function stateProblem(code: string, status: number, { host, what, bucket, key }: StoreRequest): StoreProblem | null {
  switch (code) {
    case 'NoSuchBucket':
      return new StoreProblem('missing', `The bucket “${bucket}” does not exist at ${host}. List the buckets.`);
    case 'NoSuchKey':
      return new StoreProblem('missing', `The object “${key}” does not exist in “${bucket}”. List the objects.`);
    case 'BucketNotEmpty':
      return new StoreProblem('conflict', `The bucket “${bucket}” is not empty. Delete its objects first.`);
    case 'BucketAlreadyExists':
      return new StoreProblem(
        'conflict',
        `The bucket name “${bucket}” is already in use at ${host}. Choose another name.`,
      );
    case 'BucketAlreadyOwnedByYou':
      return new StoreProblem(
        'conflict',
        `The bucket “${bucket}” already exists. Use that bucket, or choose another name.`,
      );
    case 'InvalidBucketName':
      return new StoreProblem('conflict', `${host} does not accept the bucket name “${bucket}”. Choose another name.`);
    case 'TooManyBuckets':
      return new StoreProblem('conflict', `${host} has reached its limit of buckets. Delete one first.`);
    default:
  }
  /*
   * A response without a body, for example to a HEAD request, contains no error code. In this case, use the HTTP
   * status.
   */
  if (status === 404)
    return new StoreProblem(
      'missing',
      key === undefined
        ? `The bucket “${bucket}” does not exist at ${host}. List the buckets.`
        : `The object “${key}” does not exist in “${bucket}”. List the objects.`,
    );
  if (status === 405 || status === 501)
    return new StoreProblem('conflict', `${host} does not support requests to ${what}. Use another object store.`);
  return null;
}

function rightsProblem(code: string, status: number, { host, what, bucket }: StoreRequest): StoreProblem | null {
  if (status !== 401 && status !== 403 && code !== 'AccessDenied') return null;
  const where = bucket === undefined ? '' : ` in “${bucket}”`;
  return new StoreProblem(
    'refused',
    `The keys have no permission to ${what}${where} at ${host}. Grant this permission to them.`,
  );
}

const FULL = ['InsufficientStorage', 'QuotaExceeded', 'QuotaExceededException', 'XMinioStorageFull'];

function loadProblem(code: string, status: number, { host }: StoreRequest): StoreProblem | null {
  if (status === 507 || FULL.includes(code))
    return new StoreProblem('full', `${host} has no free space. Free some space on that server.`);
  if (status < 500 && status !== 429 && code !== 'SlowDown') return null;
  return new StoreProblem('unreachable', `${host} is temporarily unavailable. Try again later.`);
}

/** Returns the error codes of an error, of its causes, and of the inner errors of an AggregateError. */
function codesOf(failure: Failure): string[] {
  const own = [failure.code, failure.name].flatMap((one) => wordOf(one) ?? []);
  const inner = [failure.cause, ...(Array.isArray(failure.errors) ? failure.errors : [])];
  const deeper = inner.flatMap((one) => (typeof one === 'object' && one !== null ? codesOf(one as Failure) : []));
  return [...own, ...deeper];
}

function connectionProblem(codes: readonly string[], host: string): string | null {
  for (const code of codes) {
    const sentence = CONNECTION[code];
    if (sentence !== undefined) return sentence(host);
    if (code.startsWith('HPE_')) return `The server at ${host} does not use HTTP. Check the port.`;
    if (/^(ERR_SSL_|EPROTO$)/.test(code))
      return `The TLS connection to ${host} failed. Check whether its address must begin with https or http.`;
  }
  return null;
}

const reset = (host: string) => `${host} closed the connection. Try again, and check its address and the network.`;
const slow = (host: string) => `${host} did not respond in time. Try again later, and check its address.`;
const unknown = (host: string) => `The host name ${host} cannot be resolved. Check the host name.`;
const away = (host: string) => `The server has no network route to ${host}. Check the network.`;
const untrusted = (host: string) =>
  `The certificate of ${host} is not signed by a certificate authority that this server trusts. Add the certificate authority to the trusted certificates of the server.`;

const CONNECTION: Readonly<Record<string, (host: string) => string>> = {
  ECONNREFUSED: (host) => `${host} refuses connections. Check its address and port.`,
  ENOTFOUND: unknown,
  EAI_AGAIN: unknown,
  EHOSTUNREACH: away,
  ENETUNREACH: away,
  ETIMEDOUT: slow,
  TimeoutError: slow,
  ECONNRESET: reset,
  EPIPE: reset,
  ECONNABORTED: reset,
  ERR_STREAM_PREMATURE_CLOSE: reset,
  CERT_HAS_EXPIRED: (host) => `The certificate of ${host} has expired. Renew the certificate on that server.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (host) => `The certificate of ${host} is for another name. Check the address.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
};

/**
 * Returns a value from the S3 server if the value is a single word, otherwise `null`. A longer text is not shown,
 * because it could contain secrets from the request.
 */
function wordOf(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z0-9_.-]{1,60}$/.test(value) ? value : null;
}
