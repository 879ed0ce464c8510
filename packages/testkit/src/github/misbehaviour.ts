import { errorAnswer, type GitHubAnswer, jsonAnswer } from './answer.ts';
import type { GraphErrorDocument } from './graphql-run.ts';

/** Incorrect responses that the simulated GitHub can send. Tests check how the catalog handles these responses. */
export type Misbehaviour =
  /** Response with status 403, which GitHub sends when the rate limit is exceeded. */
  | { kind: 'rate-limit'; resetInS: number }
  /**
   * Status 403 or 429 for GitHub's secondary rate limit. If `retryAfterS` is `null`, the header `Retry-After` is
   * absent.
   */
  | { kind: 'secondary-limit'; retryAfterS: number | null; status?: 403 | 429 }
  /** Status 429 with the header `Retry-After`. The response has no other rate limit headers. */
  | { kind: 'too-many'; retryAfterS: number }
  /** Response with an HTML page instead of JSON. An HTTP proxy between the client and GitHub can send such a page. */
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  | { kind: 'bad-credentials' }
  /** The simulated GitHub closes the connection after half of the response body. */
  | { kind: 'half-body' }
  /** The simulated GitHub sends the beginning of the response body but never its end. */
  | { kind: 'slow-body' }
  /** The simulated GitHub sends no response and leaves the connection open. */
  | { kind: 'silence' }
  /** The simulated GitHub closes the connection without a response. */
  | { kind: 'hang-up' }
  /** The response has status 200, but its JSON is incomplete. */
  | { kind: 'malformed' }
  /** The GraphQL response has status 200 and errors, but no data. */
  | { kind: 'graphql-errors'; errors: GraphErrorDocument[] }
  | { kind: 'redirect'; to: string }
  /**
   * Response with status 200 and a very large body. `bytes` is the size of the response body. The body is the beginning
   * of a JSON document.
   */
  | { kind: 'huge'; bytes: number }
  /**
   * Normal response with changed JSON. A function from the test changes the JSON before the server sends the response.
   */
  | { kind: 'changed'; change: (document: never) => unknown };

/** API of the simulated GitHub that returns errors in a test. The target is the GraphQL API, the REST API, or both. */
export type Target = 'graphql' | 'rest' | 'all';

interface Planned {
  behaviour: Misbehaviour;
  target: Target;
  left: number;
}

/** Incorrect responses that the simulated GitHub will send to the next requests, in order. */
export class Plan {
  #planned: Planned[] = [];

  add(behaviour: Misbehaviour, target: Target, times: number): void {
    this.#planned.push({ behaviour, target, left: times });
  }

  clear(): void {
    this.#planned = [];
  }

  take(kind: 'graphql' | 'rest'): Misbehaviour | null {
    const planned = this.#planned.find(({ target }) => target === 'all' || target === kind);
    if (!planned) return null;
    planned.left -= 1;
    if (planned.left <= 0) this.#planned = this.#planned.filter((one) => one !== planned);
    return planned.behaviour;
  }
}

const SECONDARY =
  'You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to GitHub Support for help, please include the request ID 0000:00000:0000000:0000000:00000000.';
const LIMITS = 'rest/using-the-rest-api/rate-limits-for-the-rest-api';

/**
 * Returns the faulty response that a test requested from the simulated GitHub. Returns `null` if the response is
 * correct and only its transfer fails.
 */
export function misanswer(behaviour: Misbehaviour, good: () => GitHubAnswer): GitHubAnswer | null {
  switch (behaviour.kind) {
    case 'rate-limit':
      return errorAnswer(403, 'API rate limit exceeded for user ID 1.', LIMITS, {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + behaviour.resetInS),
      });
    case 'secondary-limit': {
      const { retryAfterS, status = 403 } = behaviour;
      return errorAnswer(status, SECONDARY, LIMITS, retryAfterS === null ? {} : { 'retry-after': String(retryAfterS) });
    }
    case 'too-many':
      return errorAnswer(429, 'Too Many Requests', LIMITS, { 'retry-after': String(behaviour.retryAfterS) });
    case 'status': {
      const headers = { 'content-type': 'text/html', ...behaviour.headers };
      const body = `<html>\r\n<head><title>${behaviour.status}</title></head>\r\n<body><center><h1>${behaviour.status}</h1></center></body>\r\n</html>`;
      return { status: behaviour.status, headers, body };
    }
    case 'bad-credentials':
      return errorAnswer(401, 'Bad credentials');
    case 'malformed':
      return { ...jsonAnswer(200, {}), body: '{"data":{"search":{"repositoryCount":1,"nodes":[{"id"' };
    case 'graphql-errors':
      return jsonAnswer(200, { data: null, errors: behaviour.errors });
    case 'redirect':
      return { status: 302, headers: { location: behaviour.to }, body: '' };
    case 'huge':
      return { ...jsonAnswer(200, {}), body: Buffer.alloc(behaviour.bytes, '[') };
    case 'changed':
      return jsonAnswer(200, behaviour.change(JSON.parse(String(good().body)) as never));
    default:
      return null;
  }
}
