import { createListener, type Listener, type Logger } from '@davit/service';
import { Accounts } from '../auth/accounts.ts';
import { type ClientDocuments, createClientDocuments, type FetchOptions } from '../auth/oauth/client-document.ts';
import { SetupToken } from '../auth/setup-token.ts';
import type { Config } from '../config/config.ts';
import { hasUsers } from '../db/tables/user.ts';
import { createExposition, type Exposition } from '../resources/metrics/exposition.ts';
import { RequestCounts } from '../resources/metrics/requests.ts';
import { VERSION } from '../version.ts';
import { createHttpApp, type HttpParts, refuseDoubles } from './app.ts';
import type { HttpDeps } from './deps.ts';
import { operationEndpoint } from './endpoint.ts';
import { accountEndpoints } from './endpoints/account.ts';
import { Dashboard, dashboardEndpoints } from './endpoints/dashboard.ts';
import { docsEndpoints } from './endpoints/docs.ts';
import { healthEndpoints, urlOf } from './endpoints/health.ts';
import { metricsEndpoint } from './endpoints/metrics.ts';
import { challengeAt, oauthEndpoints } from './endpoints/oauth.ts';
import { templateIconEndpoint } from './endpoints/template-icons.ts';
import type { Endpoint, Exchange } from './exchange.ts';
import { Idempotency } from './idempotency.ts';
import { createSendInnerRequest, type SendInnerRequest } from './inner.ts';
import { registryHookEndpoint } from './registry/hook.ts';
import { registryTagsEndpoint } from './registry/tags.ts';
import { registryTokenEndpoint } from './registry/token.ts';
import { RateLimits } from './request/rate-limits.ts';
import { bindings } from './routes/index.ts';
import { ShellConnections, TUNNEL_COUNTS } from './shells/connections.ts';
import { databaseShellEndpoint } from './shells/database-shell.ts';
import { shellEndpoint } from './shells/shell.ts';
import { tunnelEndpoints } from './shells/tunnels.ts';
import { Streams } from './streams/streams.ts';
import { Waits } from './waits.ts';

/**
 * HTTP server of the instance. It listens on a TCP address and on a Unix socket. The local operator (a user on the
 * server) uses the Unix socket.
 */
export interface ApiServer extends AsyncDisposable {
  address: { address: string; port: number };
  /** URL of the HTTP server, for example `http://127.0.0.1:3000`. */
  url: string;
  /** Returns the setup token, which a user needs to create the first account. Returns `null` if an account exists. */
  setupToken(): string | null;
}

/** Maximum time in milliseconds that the daemon waits for running requests before it stops. */
const CLOSE_MS = 10_000;

export interface ApiOptions {
  /**
   * Returns whether the daemon has continued the unfinished work of the previous process. The API accepts changes only
   * after this.
   */
  isReady: () => boolean;
  /** Folder with the built dashboard. Default: the folder in the dashboard's npm package. */
  dashboard: string | undefined;
  /**
   * Options of the HTTP requests for the metadata of OAuth clients. Only tests set them. `undefined` means the secure
   * defaults.
   */
  clients: Partial<FetchOptions> | undefined;
  mcp: (host: McpHost) => Endpoint;
}

/**
 * Dependencies of the MCP endpoint. `core` contains the dependencies of the API, because MCP messages call API
 * operations.
 */
export interface McpHost {
  core: HttpDeps;
  log: Logger;
  rates: RateLimits;
  waits: Waits;
  ask: SendInnerRequest;
  /** Returns the `WWW-Authenticate` header for a request without a valid credential. */
  challenge: (exchange: Exchange) => string;
}

/**
 * Starts the HTTP server. To stop, the server waits for running requests, and then ends the requests that only wait for
 * events.
 */
export async function startApi(
  core: HttpDeps,
  config: Pick<Config, 'listen' | 'dataDir' | 'setupToken'>,
  log: Logger,
  options: ApiOptions,
): Promise<ApiServer> {
  const { dataDir, setupToken: configured } = config;
  const setupToken = new SetupToken({ dataDir, configured, claimed: hasUsers(core.store) });
  const { parts, terminals } = partsOf(core, log, setupToken, options);
  const { waits, streams } = parts;
  const listener = createListener({ app: createHttpApp(parts), log, headers: { 'Davit-Version': VERSION } });
  try {
    const { host, port } = await listener.listenTcp(config.listen.host, config.listen.port);
    await listener.listenUnix(core.facts.socket);
    return {
      address: { address: host, port },
      url: urlOf(host, port),
      setupToken: () => setupToken.value,
      [Symbol.asyncDispose]: () => close(listener, waits, streams, terminals),
    };
  } catch (error) {
    await close(listener, waits, streams, terminals);
    throw error;
  }
}

function partsOf(
  core: HttpDeps,
  log: Logger,
  setupToken: SetupToken,
  { isReady, dashboard: folder, clients, mcp }: ApiOptions,
): { parts: HttpParts; terminals: ShellConnections[] } {
  const {
    store,
    sealer,
    now,
    settings,
    isOpenAddress,
    audit,
    passwords,
    facts,
    engine,
    engineSight,
    metrics,
    traffic,
  } = core;
  const accounts = new Accounts({ store, passwords, now, log, setupToken });
  const waits = new Waits();
  const streams = new Streams({ store, now, log, waits, settings });
  const requests = new RequestCounts();
  const idempotency = new Idempotency({ store, sealer, now, log });
  const rates = new RateLimits(settings);
  const shells = new ShellConnections(log);
  const tunnels = new ShellConnections(log, TUNNEL_COUNTS);
  const dashboard = new Dashboard(folder);
  const counted = { store, facts, engine, engineSight, metrics, traffic, requests, streams: () => streams.size };
  const common = { idempotency, rates, domain: () => facts.domain, store, audit, now, log, isReady, waits, requests };
  const endpoints = allEndpoints(core, {
    ...{ accounts, isReady, shells, tunnels, rates, log, dashboard },
    exposition: createExposition(counted),
    documents: createClientDocuments(now, { mayAsk: isOpenAddress, ...clients }),
    mcp: (operations) => {
      const send = createSendInnerRequest({ ...common, endpoints: operations });
      const challenge = (exchange: Exchange) => challengeAt(exchange, facts.domain);
      return mcp({ core, log, rates, waits, ask: send, challenge });
    },
  });
  return { parts: { ...common, streams, endpoints, dashboard }, terminals: [shells, tunnels] };
}

interface EndpointParts {
  accounts: Accounts;
  isReady: () => boolean;
  exposition: Exposition;
  shells: ShellConnections;
  tunnels: ShellConnections;
  rates: RateLimits;
  log: Logger;
  dashboard: Dashboard;
  documents: ClientDocuments;
  /** Creates the MCP endpoint. MCP messages can call only the given API operations. */
  mcp: (operations: readonly Endpoint[]) => Endpoint;
}

/** Returns all HTTP endpoints: the operations of the API, and the endpoints that are not in the API definition. */
export function allEndpoints(core: HttpDeps, parts: EndpointParts): Endpoint[] {
  const { accounts, isReady, exposition, shells, tunnels, rates, log, dashboard, documents, mcp } = parts;
  const { store, now, facts } = core;
  const operations = bindings(core).map(operationEndpoint);
  const endpoints = [
    ...operations,
    mcp(operations),
    ...accountEndpoints(accounts, core),
    ...oauthEndpoints({ store, now, accounts, documents, domain: () => facts.domain }),
    shellEndpoint(core, shells),
    databaseShellEndpoint(core, shells),
    ...tunnelEndpoints(core, tunnels),
    templateIconEndpoint(core),
    ...healthEndpoints(core, isReady),
    ...docsEndpoints(core.facts.version),
    ...dashboardEndpoints(dashboard),
    registryTokenEndpoint({ core, accounts, rates, log }),
    registryTagsEndpoint(core),
    registryHookEndpoint(core),
    metricsEndpoint(exposition, { store: core.store, now: core.now, log }),
  ];
  refuseDoubles(endpoints);
  return fixedFirst(endpoints);
}

/**
 * Sorts endpoints for the router, which uses the first endpoint that matches. A fixed path such as `/users/me` must
 * come before `/users/{user}`.
 */
function fixedFirst(endpoints: readonly Endpoint[]): Endpoint[] {
  const ranks = new Map(endpoints.map((one) => [one, rankOf(one.path)]));
  const rank = (one: Endpoint) => ranks.get(one) ?? '';
  return endpoints.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) < rank(b) ? -1 : 1));
}

/**
 * Returns a sort key for a path template. The key contains `a` for each fixed segment and `b` for each parameter, so
 * fixed segments come first.
 */
function rankOf(path: string): string {
  return path.replaceAll(/\/(\{)?[^/]*/g, (_, parameter) => (parameter === undefined ? 'a' : 'b'));
}

async function close(
  listener: Listener,
  waiting: Waits,
  streams: Streams,
  terminals: readonly ShellConnections[],
): Promise<void> {
  await listener.close({ deadlineMs: CLOSE_MS, waiting });
  await Promise.all(terminals.map((one) => one.settled()));
  streams[Symbol.dispose]();
}
