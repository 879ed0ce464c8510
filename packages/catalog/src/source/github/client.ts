import { arrayBuffer } from 'node:stream/consumers';
import { type Logger, unlessAborted } from '@davit/service';
import type { Octokit } from '@octokit/core';
import { failed, GitHubUnavailable, refused, tidy } from './failures.ts';
import type { GitHubHosts } from './hosts.ts';
import { loadOctokit } from './octokit.ts';
import { Pace } from './pace.ts';
import { isRateLimitMessage } from './problem-words.ts';
import { GraphAnswer, type GraphError } from './shapes.ts';
import { type Call, fetchFor, type TransportOptions } from './transport.ts';
import { Turns } from './turns.ts';

export interface ClientOptions {
  hosts: GitHubHosts;
  /** GitHub token. If `null`, every request fails. */
  token: string | null;
  log: Logger;
  fetch: typeof globalThis.fetch;
  /**
   * Number of milliseconds in a second, for waits after rate limits: 1,000. Tests use a smaller number to shorten the
   * waits.
   */
  secondMs: number;
  /** Maximum time in milliseconds for receiving one complete response of GitHub. */
  timeoutMs: number;
}

export interface FileRequest {
  owner: string;
  name: string;
  /** GitHub's numeric id of the Git repository. A redirect of GitHub must lead to the repository with this id. */
  id: number;
  path: string;
  commit: string;
  maxBytes: number;
  /** ETag of the cached response, or `null` if no response is cached. */
  etag: string | null;
}

export type RestAnswer =
  | { kind: 'answer'; headers: Headers; bytes: Uint8Array }
  | { kind: 'unchanged' }
  | { kind: 'not-found' }
  | { kind: 'too-large' };

const LONGEST_WAIT_S = 60;
/**
 * Maximum number of consecutive failed requests to GitHub. After the last failure, the client sends no request until
 * the next indexing run.
 */
const MOST_FAILURES = 5;
const API_VERSION = '2022-11-28';
const RAW = 'application/vnd.github.raw+json';

interface RequestOptions {
  fetch: typeof globalThis.fetch;
  signal: AbortSignal;
  /**
   * Octokit must not parse responses, because it would decode an image with a charset as text. `octokit.ts` parses JSON
   * responses instead.
   */
  parseSuccessResponseBody: false;
}

type SendRequest<T> = (octokit: Octokit, request: RequestOptions) => Promise<T>;

/**
 * GitHub client that sends one request at a time, in order of arrival. After an abort, its methods throw the abort
 * reason of the signal.
 * @throws GitHubUnavailable
 */
export class GitHubClient {
  readonly pace: Pace;
  readonly #options: ClientOptions;
  readonly #transport: TransportOptions;
  readonly #turns = new Turns();
  #octokit: Promise<Octokit> | null = null;
  #failures = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
    const { hosts, fetch, log, secondMs, timeoutMs } = options;
    this.pace = new Pace({ log, secondMs });
    this.#transport = { hosts, fetch, pace: this.pace, timeoutMs, longestWaitS: LONGEST_WAIT_S };
  }

  /**
   * Resets the number of failed requests to GitHub at the start of an indexing run, because GitHub may be available
   * again.
   */
  begin(): void {
    this.#failures = 0;
  }

  /**
   * Runs a GraphQL query and returns the data and the errors of the response.
   * @param what purpose of the query, for error messages
   */
  async query(document: string, variables: object, what: string, signal: AbortSignal): Promise<GraphAnswer> {
    const call: Call = { resource: 'graphql', maxBytes: 0, repository: null, refusal: null };
    const baseUrl = this.#options.hosts.graphql;
    const { data } = await this.#send(call, what, signal, (octokit, request) =>
      octokit.request('POST /graphql', { baseUrl, query: document, variables, request }),
    );
    const answer = GraphAnswer.safeParse(data);
    if (!answer.success)
      throw new GitHubUnavailable(`${what}: GitHub did not return valid JSON. The indexer tries again.`);
    if (answer.data.errors.some(isLimit)) {
      this.pace.noteLimit('graphql');
      throw refused({ kind: 'too-soon', waitS: this.pace.waitS('graphql') }, what);
    }
    this.pace.noteGood();
    return answer.data;
  }

  /** Reads a file of a commit from GitHub as bytes. */
  async file({ owner, name, id, path, commit, maxBytes, etag }: FileRequest, signal: AbortSignal): Promise<RestAnswer> {
    const call: Call = { resource: 'core', maxBytes, repository: id, refusal: null };
    const headers = {
      accept: RAW,
      'x-github-api-version': API_VERSION,
      ...(etag !== null && { 'if-none-match': etag }),
    };
    const sendRequest: SendRequest<{ headers: object; data: ReadableStream | null }> = (octokit, request) =>
      octokit.request('GET /repos/{owner}/{name}/contents/{path}{?ref}', {
        baseUrl: this.#options.hosts.rest,
        ...{ owner, name, path, ref: commit, headers },
        request,
      });
    try {
      const response = await this.#send(call, `read ${path} of ${owner}/${name}`, signal, sendRequest);
      this.pace.noteGood();
      /*
       * Do not use `Response` here. `@hono/node-server` in the same process replaces it with a class that has no method
       * `bytes()`.
       */
      const bytes = new Uint8Array(response.data === null ? [] : await arrayBuffer(response.data));
      return { kind: 'answer', headers: new Headers(Object.entries(response.headers)), bytes };
    } catch (error) {
      if (!(error instanceof GitHubUnavailable)) throw error;
      if (error.tooLarge) return { kind: 'too-large' };
      if (error.status === 304) return { kind: 'unchanged' };
      if (error.status === 404) return { kind: 'not-found' };
      throw error;
    }
  }

  /** Prepares a text from GitHub for a log or an error message. Removes the GitHub token and shortens the text. */
  tidy(text: string): string {
    return tidy(text, this.#options.token);
  }

  async #send<T>(call: Call, what: string, signal: AbortSignal, sendRequest: SendRequest<T>): Promise<T> {
    using _turn = await this.#turns.take(signal);
    if (this.#failures >= MOST_FAILURES) {
      throw new GitHubUnavailable(
        `${what}: GitHub failed ${MOST_FAILURES} times in a row. The next indexing run tries again.`,
      );
    }
    const octokit = await this.#load(what);
    try {
      const request = { fetch: fetchFor(call, this.#transport), signal, parseSuccessResponseBody: false } as const;
      /*
       * After an abort, Octokit may continue for some time. `unlessAborted` throws immediately when the signal is
       * aborted.
       */
      const answer = await unlessAborted(sendRequest(octokit, request), signal);
      this.#failures = 0;
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      const failure = call.refusal ? refused(call.refusal, what) : failed(error, what, this.#options.token);
      this.#failures = failure.persistent ? this.#failures + 1 : 0;
      throw failure;
    }
  }

  #load(what: string): Promise<Octokit> {
    const { token, log } = this.#options;
    if (token === null) {
      throw new GitHubUnavailable(`${what}: GitHub requires a token. Set DAVIT_CATALOG_GITHUB_TOKEN.`);
    }
    const warn = (text: string) => log.warn({ text: this.tidy(text) }, 'warning of the GitHub client');
    this.#octokit ??= loadOctokit({ token, pace: this.pace, longestWaitS: LONGEST_WAIT_S, warn });
    return this.#octokit;
  }
}

/** Returns whether a GraphQL error reports an exceeded rate limit. GitHub sends such errors with HTTP status 200. */
function isLimit({ type, message }: GraphError): boolean {
  return type === 'RATE_LIMITED' || type === 'RATE_LIMIT' || isRateLimitMessage(message, 'query');
}
