/**
 * The exit codes of every command: scripts depend on them, so a code never changes its meaning. A command that ran
 * somewhere else (`davit run`, `davit shell`) ends with that one's own code.
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

/** What a command ends with instead of an answer: one sentence for a person, and an exit code for a script. */
export class CliError extends Error {
  override name = 'CliError';
  readonly exit: ExitName;
  /** The HTTP status that it comes from; null when no answer was the cause. */
  readonly status: number | null;

  constructor(exit: ExitName, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.exit = exit;
    this.status = options.status ?? null;
  }
}

const BY_STATUS: Record<number, ExitName> = {
  400: 'usage',
  401: 'not_signed_in',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  412: 'conflict',
  413: 'usage',
  422: 'conflict',
  429: 'busy',
  503: 'busy',
};

/** The exit of a command that the instance refused with a status. */
export function exitOfStatus(status: number): ExitName {
  return BY_STATUS[status] ?? 'failed';
}
