import type { DavitError, ErrorCode } from '@davit/api';

/**
 * Exit codes of all commands. Scripts depend on them, so the meaning of a code never changes. A command that runs
 * remotely (`davit run`, `davit shell`) ends with the remote exit code.
 */
export const EXIT = {
  ok: { code: 0, meaning: 'It was done.' },
  failed: { code: 1, meaning: 'It could not be done, for a reason that has no code of its own.' },
  usage: { code: 2, meaning: 'The command line, or a value in it, is not valid; nothing was changed.' },
  not_signed_in: { code: 3, meaning: 'Nobody is signed in, or the key is not taken any more: `davit login`.' },
  forbidden: { code: 4, meaning: 'The role does not allow it.' },
  not_found: { code: 5, meaning: 'There is no such thing, or it is not visible to the caller.' },
  conflict: { code: 6, meaning: 'The present state does not allow it, or it has changed meanwhile.' },
  unreachable: { code: 7, meaning: 'The instance did not answer.' },
  deploy_failed: { code: 8, meaning: 'The deployment ended without success; what was live before is live still.' },
  busy: { code: 9, meaning: 'Not now: too many requests, or the instance cannot do it at the moment. Try again.' },
  changes: { code: 10, meaning: '`davit plan --exit-code`: the instance is not as the file says.' },
  task_failed: { code: 11, meaning: 'The task ended without success; what it had begun was undone.' },
  interrupted: { code: 130, meaning: 'Ctrl-C. What goes on at the instance all the same was said.' },
} as const satisfies Record<string, { code: number; meaning: string }>;

export type ExitName = keyof typeof EXIT;

/** Error that ends a command, with one sentence for people and an exit code for scripts. */
export class CliError extends Error {
  override name = 'CliError';
  readonly exit: ExitName;
  /** Error of the instance that caused this error, or `null`. */
  readonly refusal: DavitError | null;

  constructor(exit: ExitName, message: string, options: { refusal?: DavitError | null; cause?: unknown } = {}) {
    const cause = options.cause ?? options.refusal ?? undefined;
    super(message, cause === undefined ? undefined : { cause });
    this.exit = exit;
    this.refusal = options.refusal ?? null;
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

/** Returns the exit code for an error code of the instance. Newer instances may have unknown error codes. */
export function exitOf({ code }: Pick<DavitError, 'code'>): ExitName {
  return BY_CODE[code] ?? 'failed';
}
