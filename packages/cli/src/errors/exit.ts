import type { DavitError, ErrorCode } from '@davit/api';

/**
 * Exit codes of all CLI commands. Scripts depend on the exit codes, so their meaning never changes. `davit run` and
 * `davit shell` are exceptions: they end with the exit code of the remote command.
 */
export const EXIT = {
  ok: { code: 0, meaning: 'Success.' },
  failed: { code: 1, meaning: 'General error, if no other exit code applies.' },
  usage: { code: 2, meaning: 'Invalid command line or value. Nothing was changed.' },
  not_signed_in: { code: 3, meaning: 'Not signed in, or the API key is no longer valid. Run `davit login`.' },
  forbidden: { code: 4, meaning: 'Your role or your API key does not allow this action.' },
  not_found: { code: 5, meaning: 'Not found, or not visible to you.' },
  conflict: {
    code: 6,
    meaning: 'Conflict: the current state does not allow this action, or the state changed in the meantime.',
  },
  unreachable: { code: 7, meaning: 'The instance did not answer.' },
  deploy_failed: { code: 8, meaning: 'The deployment did not succeed. An earlier live release, if any, stays live.' },
  busy: {
    code: 9,
    meaning: 'Temporary error: too many requests, or a part of the instance is not available. Try again.',
  },
  changes: { code: 10, meaning: '`davit plan --exit-code` found changes.' },
  task_failed: { code: 11, meaning: 'The task did not succeed. The error says why.' },
  problems: { code: 12, meaning: '`davit doctor` found a problem.' },
  // The Linux command `timeout` has the same exit code.
  timed_out: { code: 124, meaning: '`davit run` stopped the command after its maximum duration.' },
  interrupted: {
    code: 130,
    meaning: 'You pressed Ctrl-C. The command prints a message if a deployment or task continues on the instance.',
  },
} as const satisfies Record<string, { code: number; meaning: string }>;

export type ExitName = keyof typeof EXIT;

interface CliErrorOptions {
  refusal?: DavitError | null;
  /** URL of the help section about this error. Default: the URL in the error response of the API. */
  help?: string | null;
  cause?: unknown;
}

/** Error that ends a CLI command, with a message for the user and an exit code for scripts. */
export class CliError extends Error {
  override name = 'CliError';
  readonly exit: ExitName;
  /** API error that made the command fail. `null` if the failure has another cause. */
  readonly refusal: DavitError | null;
  /** URL of the help section about this error. `null` if there is no help section. */
  readonly help: string | null;

  constructor(exit: ExitName, message: string, options: CliErrorOptions = {}) {
    const cause = options.cause ?? options.refusal ?? undefined;
    super(message, cause === undefined ? undefined : { cause });
    this.exit = exit;
    this.refusal = options.refusal ?? null;
    this.help = options.help ?? options.refusal?.help ?? null;
  }
}

const BY_CODE: Record<ErrorCode, ExitName> = {
  bad_request: 'usage',
  invalid_json: 'usage',
  invalid_input: 'usage',
  unauthorized: 'not_signed_in',
  forbidden: 'forbidden',
  cross_site: 'forbidden',
  not_found: 'not_found',
  no_such_route: 'not_found',
  method_not_allowed: 'failed',
  request_timeout: 'failed',
  conflict: 'conflict',
  quota_exceeded: 'conflict',
  already_installed: 'conflict',
  source_changed: 'conflict',
  check_failed: 'conflict',
  precondition_failed: 'conflict',
  payload_too_large: 'usage',
  unsupported_media_type: 'failed',
  expectation_failed: 'failed',
  idempotency_mismatch: 'conflict',
  template_invalid: 'conflict',
  too_many_requests: 'busy',
  headers_too_large: 'failed',
  internal: 'failed',
  catalog_unavailable: 'failed',
  unexpected_response: 'unreachable',
  unavailable: 'busy',
  engine_unavailable: 'busy',
  proxy_unavailable: 'busy',
  registry_unavailable: 'busy',
  storage_unavailable: 'busy',
};

/**
 * Returns the name of the exit code for an error code of the API. Returns `failed` for an unknown error code, for
 * example from a newer instance.
 */
export function exitOf({ code }: Pick<DavitError, 'code'>): ExitName {
  return BY_CODE[code] ?? 'failed';
}
