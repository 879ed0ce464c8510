/** All served routes, prepared for all kinds of invalid requests. */
import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { createLogger } from '@davit/service';
import {
  type Answer,
  bootDaemon,
  checkAnswer,
  cookieOf,
  type Sending,
  send,
  signIn,
  type TestDaemon,
  user,
} from '@davit/testkit';
import type { z } from 'zod';
import { Accounts } from '../../src/auth/accounts.ts';
import { createClientDocuments } from '../../src/auth/oauth/client-document.ts';
import { SetupToken } from '../../src/auth/setup-token.ts';
import { unchecked } from '../../src/db/select.ts';
import type { Store } from '../../src/db/store.ts';
import { Dashboard } from '../../src/http/endpoints/dashboard.ts';
import type { Endpoint } from '../../src/http/exchange.ts';
import { RateLimits } from '../../src/http/request/rate-limits.ts';
import { allEndpoints } from '../../src/http/server.ts';
import { ShellConnections } from '../../src/http/shells/connections.ts';
import { Waits } from '../../src/http/waits.ts';
import { mcpEndpoint } from '../../src/mcp/endpoint.ts';
import { callables, eachOf, sampleOf } from './contract-walk.ts';
import { listedCatalog } from './listed-catalog.ts';
import { simulatedLego } from './simulated-lego.ts';

const AT_ONCE = 8;

/** A served route with a valid request. */
export interface Route {
  name: string;
  endpoint: Endpoint;
  method: string;
  /** Path of an existing resource, if possible. */
  path: string;
  /** Beginning of the path up to the first parameter, which does not come from the caller. */
  fixed: string;
  /** A valid body, or `undefined` if the route has none. */
  sample: string | undefined;
}

export interface Setup extends AsyncDisposable {
  daemon: TestDaemon;
  routes: Route[];
  /** Session cookie of the admin. */
  cookie: string;
  /** API key of a user with the role `viewer`. */
  viewer: string;
  /** Sends exactly this request, and validates the response with the API description. */
  ask(sending: Sending): Promise<Answer>;
  /** Runs work for each route with limited concurrency. */
  each(routes: readonly Route[], work: (route: Route) => Promise<void>): Promise<void>;
}

export async function orderSetup(): Promise<Setup> {
  const catalog = await listedCatalog();
  const daemon = await bootDaemon({ lego: simulatedLego, settings: { catalogUrl: catalog.url } });
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const routes = await routesOf(daemon);
  const signedIn = await signIn(daemon);
  // An exposed session is bound to its address, but each request here has another address.
  daemon.core.store.tx((tx) => tx.run('UPDATE sessions SET is_exposed = 0'));
  await daemon.settled();
  return {
    daemon,
    routes,
    cookie: cookieOf(signedIn),
    viewer: user(daemon, 'viewer').key,
    ask: async (sending) => {
      const answer = await send({ url: daemon.url }, withAddress(sending), agent);
      checkAnswer(answer);
      return answer;
    },
    each: (of, work) => eachOf(of, AT_ONCE, work),
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await daemon[Symbol.asyncDispose]();
      await catalog[Symbol.asyncDispose]();
    },
  };
}

let addresses = 0;

/**
 * Adds a new client address to a request. Unauthenticated requests are rate-limited by address, which these tests do
 * not examine.
 */
function withAddress(sending: Sending): Sending {
  addresses += 1;
  const address = [10, addresses >> 16, (addresses >> 8) & 255, addresses & 255].join('.');
  return { ...sending, headers: { 'x-forwarded-for': address, ...sending.headers } };
}

async function routesOf(daemon: TestDaemon): Promise<Route[]> {
  const documented = new Map((await callables(daemon)).map((one) => [`/api${one.operation.path}`, one.path]));
  const [project = '', environment = '', app = ''] = someApp(documented);
  const values: Record<string, string> = { project, environment, app, file: 'page.js' };
  // Routes of other protocols have separate tests.
  const judged = servedBy(daemon).filter(({ raw }) => !raw);
  return judged.map((endpoint): Route => {
    const { method, path, body } = endpoint;
    const filled =
      documented.get(path) ??
      below(documented, path) ??
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '1');
    const name = `${method} ${path}`;
    const sample = body === null ? undefined : JSON.stringify(sampleOf(body, name));
    return { name, endpoint, method, path: filled, fixed: path.split('{')[0] ?? path, sample };
  });
}

/** Returns the path of a route below a documented one, such as the shell of a database. */
function below(documented: Map<string, string>, path: string): string | undefined {
  const slash = path.lastIndexOf('/');
  const parent = documented.get(path.slice(0, slash));
  return parent === undefined || path.endsWith('}') ? undefined : `${parent}${path.slice(slash)}`;
}

function someApp(paths: Map<string, string>): string[] {
  return paths.get('/api/apps/{project}/{environment}/{app}')?.split('/').slice(3) ?? [];
}

/** Returns the path of a route with its required query parameters. */
export function withQuery({ path, endpoint }: Route): string {
  if (endpoint.query === null || endpoint.query.safeParse({}).success) return path;
  const required = Object.entries(endpoint.query.shape).filter(([, field]) => !field.safeParse(undefined).success);
  const value = (name: string, field: z.ZodType) =>
    field.safeParse('x').success ? 'x' : String(sampleOf(field, name));
  return `${path}?${required.map(([name, field]) => `${name}=${encodeURIComponent(value(name, field as z.ZodType))}`).join('&')}`;
}

/** Returns all endpoints of an instance. */
export function servedBy({ core, dataDir }: TestDaemon): Endpoint[] {
  const log = createLogger({ level: 'error' });
  const setupToken = new SetupToken({ dataDir, configured: null, claimed: true });
  const exposition = { text: async () => '', contentType: () => 'text/plain' };
  const accounts = new Accounts({ ...core, log, setupToken });
  const rates = new RateLimits(core.settings);
  return allEndpoints(core, {
    accounts,
    isReady: () => true,
    exposition,
    shells: new ShellConnections(log),
    tunnels: new ShellConnections(log),
    rates,
    log,
    mcp: () =>
      mcpEndpoint({ core, log, rates, waits: new Waits(), ask: () => assert.fail(), challenge: () => 'Bearer' }),
    dashboard: new Dashboard(),
    documents: createClientDocuments(core.now, { mayAsk: core.isOpenAddress }),
  });
}

/** Pattern for tables that change by reads, by a timer, or by refused requests. */
const NOT_COMPARED = /^(sqlite_|audit|metric|disk|traffic|trash_clock$)/;
const USES = new Set(['used_at', 'seen_at', 'last_used_at', 'last_seen_at', 'address', 'user_agent']);

/** Returns all records that a refused request must not change. */
export function dump(store: Store): Record<string, unknown[]> {
  const tables = store.all(
    unchecked<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"),
  );
  const compared = tables.filter(({ name }) => !NOT_COMPARED.test(name));
  return Object.fromEntries(
    compared.map(({ name }) => {
      const rows = store.all(unchecked<Record<string, unknown>>(`SELECT * FROM "${name}"`));
      return [name, rows.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !USES.has(column))))];
    }),
  );
}
