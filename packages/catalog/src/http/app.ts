import { CatalogError } from '@davit/api/catalog/errors.ts';
import { ClientGone, type ListenerBindings, type Logger, pathOf, requestId } from '@davit/service';
import { Hono } from 'hono';
import { type CatalogContext, Exchange, type Route } from './exchange.ts';
import { failureResponse, OPEN } from './failure.ts';
import type { RequestCounts } from './request-counts.ts';

export type CatalogApp = Hono<{ Bindings: ListenerBindings }>;

export interface AppParts {
  routes: readonly Route[];
  counts: RequestCounts;
  log: Logger;
  /** Handler for all requests outside `/api`. It serves the web pages. Default: no handler. */
  pages?: { fetch(request: Request, bindings: ListenerBindings): Response | Promise<Response> };
}

const API = '/api/v1';

/**
 * Creates the HTTP app of the catalog. Each path has only one handler, because Hono calls a single handler
 * synchronously, which is faster.
 */
export function createApp({ routes, counts, log, pages }: AppParts): CatalogApp {
  const app: CatalogApp = new Hono({ getPath: (_, options) => plainPath(options?.env?.incoming?.url ?? '/') });
  const fail = failing(log);
  for (const route of routes) {
    const handle = answering(route, counts, fail);
    app.all(`${API}${route.path}`, handle);
    if (route.atRoot) app.all(route.path, handle);
  }
  app.notFound((c) => {
    const isApi = c.req.path === '/api' || c.req.path.startsWith('/api/');
    return isApi || !pages ? fail(c, new CatalogError('not_found', NO_ADDRESS)) : opened(pages.fetch(c.req.raw, c.env));
  });
  app.onError((error, c) => fail(c, error));
  return app;
}

const NO_ADDRESS = 'No resource has this address. The page /api/v1/docs lists all addresses.';

type Fail = (context: CatalogContext, thrown: unknown, more?: Record<string, string>) => Response;

/**
 * Returns the Hono handler of an API route. The handler runs synchronously if possible, because most responses come
 * from the cache.
 */
function answering(route: Route, counts: RequestCounts, fail: Fail) {
  const counted = (response: Response) => {
    counts.add(route.id, response.status);
    return response;
  };
  const allow = route.method === 'GET' ? 'GET, HEAD, OPTIONS' : `${route.method}, OPTIONS`;
  return (context: CatalogContext): Response | Promise<Response> => {
    const { method } = context.env.incoming;
    if (method === 'OPTIONS') return new Response(null, { status: 204, headers: preflight(allow) });
    if (method !== route.method && !(method === 'HEAD' && route.method === 'GET'))
      return fail(context, new CatalogError('method_not_allowed'), { Allow: allow });
    const failed = (error: unknown) => counted(fail(context, error));
    try {
      const response = route.handle(new Exchange(context));
      return response instanceof Promise ? response.then(counted, failed) : counted(response);
    } catch (error) {
      return failed(error);
    }
  };
}

/**
 * Returns the error handler of the HTTP server. Error responses do not contain the cause. An unreadable database is
 * logged at most once a minute.
 */
function failing(log: Logger): Fail {
  const QUIET_MS = 60_000;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (context, thrown, more = {}) => {
    // The HTTP client has closed the connection, so the server sends no response.
    if (thrown instanceof ClientGone) return new Response(null, { status: 499 });
    const error = thrown instanceof CatalogError ? thrown : new CatalogError('internal', undefined, { cause: thrown });
    const id = requestId(context.env.incoming.headers['x-request-id']);
    const now = performance.now();
    if (error.cause !== undefined && error.status >= 500 && (error.code === 'internal' || now - loggedAt > QUIET_MS)) {
      if (error.code !== 'internal') loggedAt = now;
      log.error({ requestId: id, path: context.req.path.slice(0, 512), error: error.cause }, 'request failed');
    }
    return failureResponse(error, id, more);
  };
}

/**
 * Decodes percent-encoded letters, digits, "-", ".", "_" and "~" in a URL path. This is necessary because Hono's router
 * does not decode paths.
 */
function plainPath(target: string): string {
  const path = pathOf(target);
  if (!path.includes('%')) return path;
  return path.replace(/%([46][1-9a-f]|[57][0-9a]|3\d|2d|2e|5f|7e)/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function preflight(allow: string): Record<string, string> {
  return {
    ...OPEN,
    Allow: allow,
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  };
}

async function opened(page: Response | Promise<Response>): Promise<Response> {
  const response = await page;
  for (const [name, value] of Object.entries(OPEN)) response.headers.set(name, value);
  return response;
}
