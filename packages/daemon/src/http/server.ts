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
import { createAsk, type SendInnerRequest } from './inner.ts';
import { registryHookEndpoint } from './registry/hook.ts';
import { registryTokenEndpoint } from './registry/token.ts';
import { RateLimits } from './request/rate-limits.ts';
import { bindings } from './routes/index.ts';
import { ShellConnections } from './shells/connections.ts';
import { shellEndpoint } from './shells/shell.ts';
import { Streams } from './streams/streams.ts';
import { Waits } from './waits.ts';

/** The instance's API, open on its address and on the local operator's socket. */
export interface ApiServer extends AsyncDisposable {
  address: { address: string; port: number };
  /** `http://127.0.0.1:3000`. */
  url: string;
  /** What the first account is claimed with; null when it has been. */
  setupToken(): string | null;
}

/** How long running requests may take to end when the instance stops. */
const CLOSE_MS = 10_000;

export interface ApiOptions {
  /** Whether what the last process left is taken up, so that changes may be made. */
  isReady: () => boolean;
  /** The folder with the built dashboard; that of its package unless given. */
  dashboard: string | undefined;
  /** How descriptions of programs that ask for access are read; carefully unless given. */
  clients: Partial<FetchOptions> | undefined;
  /** Makes the endpoint of agents. */
  mcp: (host: McpHost) => Endpoint;
}

/** What the endpoint of agents is given: it asks the operations as the API does. */
export interface McpHost {
  core: HttpDeps;
  log: Logger;
  rates: RateLimits;
  waits: Waits;
  ask: SendInnerRequest;
  /** The header `WWW-Authenticate` for who is nobody. */
  challenge: (exchange: Exchange) => string;
}

/** Opens the API. Disposing it stops accepting, lets running requests end, then those that only wait. */
export async function startApi(
  core: HttpDeps,
  config: Pick<Config, 'listen' | 'dataDir' | 'setupToken'>,
  log: Logger,
  options: ApiOptions,
): Promise<ApiServer> {
  const { dataDir, setupToken: configured } = config;
  const setupToken = new SetupToken({ dataDir, configured, claimed: hasUsers(core.store) });
  const { parts, shells } = partsOf(core, log, setupToken, options);
  const { waits, streams } = parts;
  const listener = createListener({ app: createHttpApp(parts), log, headers: { 'Davit-Version': VERSION } });
  try {
    const { host, port } = await listener.listenTcp(config.listen.host, config.listen.port);
    await listener.listenUnix(core.facts.socket);
    return {
      address: { address: host, port },
      url: urlOf(host, port),
      setupToken: () => setupToken.value,
      [Symbol.asyncDispose]: () => close(listener, waits, streams, shells),
    };
  } catch (error) {
    await close(listener, waits, streams, shells);
    throw error;
  }
}

/** Everything that requests are answered with. */
function partsOf(
  core: HttpDeps,
  log: Logger,
  setupToken: SetupToken,
  { isReady, dashboard: folder, clients, mcp }: ApiOptions,
): { parts: HttpParts; shells: ShellConnections } {
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
  const dashboard = new Dashboard(folder);
  const counted = { store, facts, engine, engineSight, metrics, traffic, requests, streams: () => streams.size };
  const common = { idempotency, rates, domain: () => facts.domain, store, audit, now, log, isReady, waits, requests };
  const endpoints = allEndpoints(core, {
    ...{ accounts, isReady, shells, rates, log, dashboard },
    exposition: createExposition(counted),
    documents: createClientDocuments(now, { mayAsk: isOpenAddress, ...clients }),
    mcp: (operations) => {
      const ask = createAsk({ ...common, endpoints: operations });
      const challenge = (exchange: Exchange) => challengeAt(exchange, facts.domain);
      return mcp({ core, log, rates, waits, ask, challenge });
    },
  });
  return { parts: { ...common, streams, endpoints, dashboard }, shells };
}

interface EndpointParts {
  accounts: Accounts;
  isReady: () => boolean;
  exposition: Exposition;
  shells: ShellConnections;
  rates: RateLimits;
  log: Logger;
  dashboard: Dashboard;
  documents: ClientDocuments;
  /** Makes the endpoint of agents, which asks the operations. */
  mcp: (operations: readonly Endpoint[]) => Endpoint;
}

/** Every operation of the contract and every absent route that is served. */
export function allEndpoints(core: HttpDeps, parts: EndpointParts): Endpoint[] {
  const { accounts, isReady, exposition, shells, rates, log, dashboard, documents, mcp } = parts;
  const { store, now, facts } = core;
  const operations = bindings(core).map(operationEndpoint);
  const endpoints = [
    ...operations,
    mcp(operations),
    ...accountEndpoints(accounts, core),
    ...oauthEndpoints({ store, now, accounts, documents, domain: () => facts.domain }),
    shellEndpoint(core, shells),
    templateIconEndpoint(core),
    ...healthEndpoints(core, isReady),
    ...docsEndpoints(core.facts.version),
    ...dashboardEndpoints(dashboard),
    registryTokenEndpoint({ core, accounts, rates, log }),
    registryHookEndpoint(core),
    metricsEndpoint(exposition, { store: core.store, now: core.now, log }),
  ];
  refuseDoubles(endpoints);
  return fixedFirst(endpoints);
}

/** The router takes the first that matches: a fixed name, `/users/me`, goes before a parameter in its place. */
function fixedFirst(endpoints: readonly Endpoint[]): Endpoint[] {
  const ranks = new Map(endpoints.map((one) => [one, rankOf(one.path)]));
  const rank = (one: Endpoint) => ranks.get(one) ?? '';
  return endpoints.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) < rank(b) ? -1 : 1));
}

/** A letter a segment: in the order of the alphabet, and the shorter first. */
function rankOf(path: string): string {
  return path.replaceAll(/\/(\{)?[^/]*/g, (_, parameter) => (parameter === undefined ? 'a' : 'b'));
}

async function close(listener: Listener, waiting: Waits, streams: Streams, shells: ShellConnections): Promise<void> {
  await listener.close({ deadlineMs: CLOSE_MS, waiting });
  await shells.settled();
  streams[Symbol.dispose]();
}
