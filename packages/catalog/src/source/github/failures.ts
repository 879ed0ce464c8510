import { SourceUnavailable } from '../source.ts';
import type { Refusal } from './transport.ts';

/** Error for an unreachable GitHub server or an invalid response of GitHub. */
export class GitHubUnavailable extends SourceUnavailable {
  /** HTTP status of GitHub's response, or `null` if there was no valid response. */
  readonly status: number | null;
  /** Whether further requests to GitHub would also fail, because GitHub is unavailable or demands a pause. */
  readonly persistent: boolean;
  /** Whether GitHub's response was larger than the client accepts. */
  readonly tooLarge: boolean;

  constructor(message: string, { status = null, persistent = false, tooLarge = false, cause }: FailureOptions = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.status = status;
    this.persistent = persistent;
    this.tooLarge = tooLarge;
  }
}

interface FailureOptions {
  status?: number | null;
  persistent?: boolean;
  tooLarge?: boolean;
  cause?: unknown;
}

const LONGEST_REASON = 200;

export function tidy(text: string, secret: string | null): string {
  const safe = secret ? text.replaceAll(secret, '[redacted]') : text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters
  const line = safe.replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ').trim();
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
}

/**
 * Returns the error for a request that the GitHub client did not send, or for a response that the client rejected.
 * @param what purpose of the request, such as "search"
 */
export function refused(refusal: Refusal, what: string): GitHubUnavailable {
  switch (refusal.kind) {
    case 'too-soon': {
      const at = new Date(Date.now() + refusal.waitS * 1_000).toISOString().replace(/\.\d+Z$/, 'Z');
      return new GitHubUnavailable(
        `${what}: GitHub accepts no requests until ${at}. The indexer tries again after that.`,
        {
          persistent: true,
        },
      );
    }
    case 'too-large':
      return new GitHubUnavailable(`${what}: The response of GitHub is too large. The next indexing run tries again.`, {
        tooLarge: true,
      });
    case 'redirect':
      return new GitHubUnavailable(`${what}: GitHub redirected to ${refusal.to}, which the indexer does not follow.`);
    default:
      return refusal satisfies never;
  }
}

/**
 * Converts an error of Octokit. The result does not contain the Octokit error as its cause. The Octokit error contains
 * the complete request and response, which must not be logged.
 */
export function failed(error: unknown, what: string, secret: string | null): GitHubUnavailable {
  const answer = answerOf(error);
  const reason = tidy(error instanceof Error ? error.message : String(error), secret) || 'no reason given';
  if (answer === null) {
    const cause = new Error(reason);
    return new GitHubUnavailable(
      `${what}: GitHub could not be reached (${reason}). The next indexing run tries again.`,
      {
        persistent: true,
        cause,
      },
    );
  }
  const { status } = answer;
  if (status === 401) {
    const message = `${what}: GitHub refused the token (401). Set DAVIT_CATALOG_GITHUB_TOKEN to a valid token.`;
    return new GitHubUnavailable(message, { status, persistent: true });
  }
  return new GitHubUnavailable(
    `${what}: GitHub returned status ${status} (${reason}). The next indexing run tries again.`,
    {
      status,
      persistent: status >= 500 || status === 429,
      tooLarge: status === 403 && hasCode(answer.data, 'too_large'),
    },
  );
}

/** Returns whether GitHub's response lists an error with this code. */
function hasCode(data: unknown, code: string): boolean {
  const { errors } = (data ?? {}) as { errors?: unknown };
  return Array.isArray(errors) && errors.some((one: { code?: unknown } | null) => one?.code === code);
}

/** Returns the HTTP status and the decoded body of GitHub's response. Returns `null` if there was no response. */
function answerOf(error: unknown): { status: number; data: unknown } | null {
  if (typeof error !== 'object' || error === null || !('response' in error)) return null;
  const { response } = error;
  if (typeof response !== 'object' || response === null || !('status' in response)) return null;
  return { status: Number(response.status), data: 'data' in response ? response.data : undefined };
}
