import { arrayBuffer } from 'node:stream/consumers';
import { type Logger, unlessAborted } from '@davit/service';
import type { Octokit } from '@octokit/core';
import { failed, GitHubUnavailable, refused, tidy } from './failures.ts';
import type { GitHubHosts } from './hosts.ts';
import { loadOctokit } from './octokit.ts';
import { Pace } from './pace.ts';
import { tellsLimit } from './problem-words.ts';
import { GraphAnswer, type GraphError } from './shapes.ts';
import { type Call, fetchFor, type TransportOptions } from './transport.ts';
import { Turns } from './turns.ts';

export interface ClientOptions {
  hosts: GitHubHosts;
  /** Token of GitHub. Without a token (`null`), every request fails. */
  token: string | null;
  log: Logger;
  fetch: typeof globalThis.fetch;
  /** Length of one second in milliseconds, see {@link Pace}. */
  secondMs: number;
  /** Timeout in milliseconds for one answer with its body. */
  timeoutMs: number;
}

export interface FileRequest {
  owner: string;
  name: string;
  /** Number of the repository. A redirect must lead to the same number. */
  id: number;
  path: string;
  commit: string;
  maxBytes: number;
  /** ETag of the cached answer, or `null` if none is cached. */
  etag: string | null;
}

export type RestAnswer =
  | { kind: 'answer'; headers: Headers; bytes: Uint8Array }
  | { kind: 'unchanged' }
  | { kind: 'not-found' }
  | { kind: 'too-large' };

const LONGEST_WAIT_S = 60;
/** Maximum number of failures in a row. GitHub is then considered down, and no request is sent before the next pass. */
const MOST_FAILURES = 5;
const API_VERSION = '2022-11-28';
const RAW = 'application/vnd.github.raw+json';

interface RequestOptions {
  fetch: typeof globalThis.fetch;
  signal: AbortSignal;
  /** Octokit would decode an image as text if its content type has a charset. octokit.ts parses JSON documents. */
  parseSuccessResponseBody: false;
}

type Ask<T> = (octokit: Octokit, request: RequestOptions) => Promise<T>;

/**
 * Sends requests to GitHub, one at a time in order of arrival. Every method throws GitHubUnavailable if there is no
 * valid answer. When the signal is aborted, every method throws the reason of the signal immediately.
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

  /** Starts a new pass, and resets the failures because GitHub may be available again. */
  begin(): void {
    this.#failures = 0;
  }

  /**
   * Runs a GraphQL query and returns its data and its errors.
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

  /** Reads a file at a commit without a conversion. */
  async file({ owner, name, id, path, commit, maxBytes, etag }: FileRequest, signal: AbortSignal): Promise<RestAnswer> {
    const call: Call = { resource: 'core', maxBytes, repository: id, refusal: null };
    const headers = {
      accept: RAW,
      'x-github-api-version': API_VERSION,
      ...(etag !== null && { 'if-none-match': etag }),
    };
    const ask: Ask<{ headers: object; data: ReadableStream | null }> = (octokit, request) =>
      octokit.request('GET /repos/{owner}/{name}/contents/{path}{?ref}', {
        baseUrl: this.#options.hosts.rest,
        ...{ owner, name, path, ref: commit, headers },
        request,
      });
    try {
      const response = await this.#send(call, `read ${path} of ${owner}/${name}`, signal, ask);
      this.pace.noteGood();
      // A `Response` is not used here: a server in the same process replaces this class by one without `bytes()`.
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

  /** Removes the token from a foreign text and shortens the text for a log or an error. */
  tidy(text: string): string {
    return tidy(text, this.#options.token);
  }

  async #send<T>(call: Call, what: string, signal: AbortSignal, ask: Ask<T>): Promise<T> {
    using _turn = await this.#turns.take(signal);
    if (this.#failures >= MOST_FAILURES) {
      throw new GitHubUnavailable(
        `${what}: GitHub failed ${MOST_FAILURES} times in a row. The next indexing run tries again.`,
      );
    }
    const octokit = await this.#load(what);
    try {
      const request = { fetch: fetchFor(call, this.#transport), signal, parseSuccessResponseBody: false } as const;
      // Octokit may react late to the abort of the signal.
      const answer = await unlessAborted(ask(octokit, request), signal);
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
    const warn = (text: string) => log.warn({ text: this.tidy(text) }, 'github client');
    this.#octokit ??= loadOctokit({ token, pace: this.pace, longestWaitS: LONGEST_WAIT_S, warn });
    return this.#octokit;
  }
}

/** Returns whether an error reports an exceeded limit. GitHub sends such errors with status 200. */
function isLimit({ type, message }: GraphError): boolean {
  return type === 'RATE_LIMITED' || type === 'RATE_LIMIT' || tellsLimit(message, 'query');
}
