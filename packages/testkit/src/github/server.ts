import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorAnswer, type GitHubAnswer, jsonAnswer, withTag } from './answer.ts';
import { contents } from './contents.ts';
import { runGraph } from './graphql-run.ts';
import { rootOf } from './graphql-schema.ts';
import { type Misbehaviour, misanswer, Plan, type Target } from './misbehaviour.ts';
import { SimulatedGitHubState } from './state.ts';

export interface GitHubOptions {
  /** Git repositories of the simulated GitHub. Default: no repositories. */
  world?: SimulatedGitHubState;
  /** The only token that the simulated GitHub accepts. */
  token?: string;
  /**
   * Beginning of all URL paths of the REST API, for example `/api/v3` for GitHub Enterprise Server. In this example,
   * the path of the GraphQL API is `/api/graphql`.
   */
  basePath?: string;
}

export interface GitHubRequest {
  /** Time of the HTTP request, as returned by `performance.now()`. */
  at: number;
  method: string;
  /** Path of the HTTP request, including its query. */
  path: string;
  /** Name of the GraphQL operation, or `null` for a request to the REST API. */
  operation: string | null;
  variables: Record<string, unknown>;
  authorization: string | undefined;
  /** Number of open HTTP requests, including this request. */
  atOnce: number;
  /** HTTP status of the response, or 0 while no response has been sent. */
  status: number;
}

export const GITHUB_TOKEN = 'github_pat_a_token_of_the_tests';
const LIMIT = 5_000;

/** Starts a simulated GitHub on a free local port. When the result is disposed, the server stops. */
export async function startGitHub(options: GitHubOptions = {}): Promise<GitHub> {
  const github = new GitHub(options);
  await github.listen();
  return github;
}

/**
 * Simulated GitHub in memory. Supports GraphQL queries (search, node, nodes), repository contents and rate limit
 * headers. Tests can request faulty responses.
 */
export class GitHub implements AsyncDisposable {
  readonly world: SimulatedGitHubState;
  readonly token: string;
  readonly requests: GitHubRequest[] = [];
  readonly #basePath: string;
  readonly #server: Server;
  readonly #plan = new Plan();
  readonly #used = { core: 0, graphql: 0 };
  #open = 0;

  constructor({ world: state = new SimulatedGitHubState(), token = GITHUB_TOKEN, basePath = '' }: GitHubOptions) {
    this.world = state;
    this.token = token;
    this.#basePath = basePath;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  /**
   * Returns the REST API URL of the simulated GitHub. Tests pass this URL to the catalog, so that the catalog does not
   * contact the real GitHub.
   */
  get url(): string {
    return `${this.origin}${this.#basePath}`;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Returns the highest number of concurrent HTTP requests that the server has received so far. */
  get mostAtOnce(): number {
    return Math.max(0, ...this.requests.map(({ atOnce }) => atOnce));
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /**
   * Adds faulty responses for the next `times` requests. Faulty responses from earlier calls of this method are sent
   * first.
   */
  misbehave(behaviour: Misbehaviour, { times = 1, target = 'all' }: { times?: number; target?: Target } = {}): void {
    this.#plan.add(behaviour, target, times);
  }

  /** Turns off all faulty responses that the test has requested. All further responses are correct. */
  behave(): void {
    this.#plan.clear();
  }

  /** Deletes the list of HTTP requests that the simulated GitHub has received. */
  forget(): void {
    this.requests.length = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    const isGraph = url.pathname === `${this.#basePath.replace(/\/v3$/, '')}/graphql`;
    this.#open += 1;
    response.on('close', () => {
      this.#open -= 1;
    });
    const record = this.#record(request, url);
    const pieces: Uint8Array[] = [];
    for await (const piece of request) pieces.push(piece);
    const graphQuery = isGraph ? readQuery(Buffer.concat(pieces).toString()) : null;
    record.operation = graphQuery ? (/\bquery\s+(\w+)/.exec(graphQuery.query)?.[1] ?? '') : null;
    record.variables = graphQuery?.variables ?? {};
    const good = () => this.#answer(request, url, graphQuery);
    const behaviour = this.#plan.take(isGraph ? 'graphql' : 'rest');
    if (behaviour?.kind === 'silence') return;
    if (behaviour?.kind === 'hang-up') return void request.socket.destroy();
    const answer = (behaviour && misanswer(behaviour, good)) ?? good();
    record.status = answer.status;
    send(response, { ...answer, headers: { ...this.#limits(isGraph), ...answer.headers } }, behaviour);
  }

  #record(request: IncomingMessage, url: URL): GitHubRequest {
    const record: GitHubRequest = {
      at: performance.now(),
      method: request.method ?? '',
      path: `${url.pathname}${url.search}`,
      operation: null,
      variables: {},
      authorization: request.headers.authorization,
      atOnce: this.#open,
      status: 0,
    };
    this.requests.push(record);
    return record;
  }

  #answer(request: IncomingMessage, url: URL, graphQuery: Query | null): GitHubAnswer {
    const { authorization, accept = '', 'if-none-match': ifNoneMatch } = request.headers;
    const given = authorization?.replace(/^(?:token|bearer) /i, '');
    if (given !== undefined && given !== this.token) return errorAnswer(401, 'Bad credentials');
    if (graphQuery) {
      if (given === undefined) return errorAnswer(401, 'This endpoint requires you to be authenticated.', 'graphql');
      return jsonAnswer(200, runGraph(graphQuery.query, graphQuery.variables, rootOf(this.world)));
    }
    const inside = new URL(url);
    inside.pathname = url.pathname.slice(this.#basePath.length);
    const answer = request.method === 'GET' ? contents(this.world, inside, accept, this.url) : null;
    if (!answer) return errorAnswer(404, 'Not Found');
    return answer.status === 200 ? withTag(answer, ifNoneMatch) : answer;
  }

  #limits(isGraph: boolean): Record<string, string> {
    const resource = isGraph ? 'graphql' : 'core';
    this.#used[resource] += 1;
    return {
      'x-github-request-id': '0000:00000:0000000:0000000:00000000',
      'x-ratelimit-limit': String(LIMIT),
      'x-ratelimit-remaining': String(Math.max(1, LIMIT - this.#used[resource])),
      'x-ratelimit-used': String(this.#used[resource]),
      'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 3_600),
      'x-ratelimit-resource': resource,
    };
  }
}

interface Query {
  query: string;
  variables: Record<string, unknown>;
}

function readQuery(body: string): Query {
  const { query = '', variables } = JSON.parse(body) as Partial<Query>;
  return { query, variables: variables ?? {} };
}

function send(response: ServerResponse, { status, headers, body }: GitHubAnswer, behaviour: Misbehaviour | null): void {
  const bytes = Buffer.from(body);
  const length = status === 304 ? {} : { 'content-length': bytes.length };
  response.writeHead(status, { ...headers, ...length });
  if (behaviour?.kind !== 'half-body' && behaviour?.kind !== 'slow-body') return void response.end(bytes);
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => {
    if (behaviour.kind === 'half-body') response.destroy();
  });
}
