/**
 * HTTP server of safe mode. It reads no database, so it has no users, sessions or API operations. Requests to repair
 * the state are accepted only on the Unix socket.
 */
import { DavitError } from '@davit/api';
import { createListener, type ListenerBindings, type Logger, pathOf, prefersPage } from '@davit/service';
import { Hono } from 'hono';
import type { Config } from '../../config/config.ts';
import type { SafeModeReason } from '../../safe-mode/reason.ts';
import type { StateRecovery } from '../../safe-mode/recovery.ts';
import { SAFE_MODE_POLICY, safeModePage, sentenceOf } from '../../safe-mode/text.ts';
import { VERSION } from '../../version.ts';
import type { Reply } from '../bind.ts';
import { docsEndpoints } from '../endpoints/docs.ts';
import { urlOf } from '../endpoints/health.ts';
import { type Endpoint, Exchange, RequestContext } from '../exchange.ts';
import { publicError } from '../failure.ts';
import { paramsOf } from '../pipeline.ts';
import { respond, respondError } from '../respond.ts';
import { Waits } from '../waits.ts';
import { recoveryRoutes } from './recovery-routes.ts';

export interface SafeModeServer extends AsyncDisposable {
  /** URL of the HTTP server, for example `http://127.0.0.1:3000`. */
  url: string;
}

export interface SafeModeServerParts {
  listen: Config['listen'];
  socket: string;
  reason: () => SafeModeReason;
  recovery: StateRecovery;
  log: Logger;
}

/** Maximum time in milliseconds for receiving one request, for example a copy of the database. */
const REQUEST_MS = 60 * 60_000;
/** Maximum time in milliseconds that the end of safe mode waits for running requests. */
const CLOSE_MS = 10_000;
const NO_STORE = { 'cache-control': 'no-store' };

/** Starts the HTTP server of safe mode on the port and the Unix socket of the instance. */
export async function startSafeModeServer(parts: SafeModeServerParts): Promise<SafeModeServer> {
  const { listen, socket, log } = parts;
  const waits = new Waits();
  let address = { host: listen.host, port: listen.port };
  const app = createApp(parts, waits, () => urlOf(address.host, address.port));
  const limits = { requestTimeout: REQUEST_MS };
  const listener = createListener({ app, log, headers: { 'Davit-Version': VERSION }, limits });
  const close = () => listener.close({ deadlineMs: CLOSE_MS, waiting: waits });
  try {
    address = await listener.listenTcp(listen.host, listen.port);
    await listener.listenUnix(socket);
    return { url: urlOf(address.host, address.port), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Answer = (exchange: Exchange) => Reply | Promise<Reply>;
type SafeModeApp = Hono<{ Bindings: ListenerBindings }>;

function createApp(parts: SafeModeServerParts, waits: Waits, url: () => string): SafeModeApp {
  const app: SafeModeApp = new Hono({
    getPath: (request, options) => pathOf(options?.env?.incoming?.url ?? new URL(request.url).pathname),
  });
  const serve = async (bindings: ListenerBindings, endpoint: Endpoint | null, answer: Answer) => {
    const exchange = new Exchange(bindings, endpoint);
    try {
      return await respond(await answer(exchange), exchange);
    } catch (thrown) {
      const error = publicError(thrown);
      if (error.cause !== undefined) parts.log.error({ path: exchange.path, error: error.cause }, 'request failed');
      return respondError(error, exchange, exchange.headers.accept);
    }
  };
  for (const [path, answer] of Object.entries(healthRoutes(parts, url)))
    app.get(path, (c) => serve(c.env, null, answer));
  for (const endpoint of docsEndpoints(VERSION))
    app.get(endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) =>
      serve(c.env, endpoint, (exchange) => {
        exchange.params = paramsOf(endpoint.path, exchange.path);
        return endpoint.handle(exchange, new RequestContext(exchange, waits, parts.log));
      }),
    );
  const refuse = (exchange: Exchange) => refused(exchange, parts.reason());
  for (const { method, path, answer } of recoveryRoutes(parts.recovery))
    app.on(method, path, (c) => serve(c.env, null, c.env.local ? answer : refuse));
  app.notFound((c) => serve(c.env, null, refuse));
  return app;
}

function healthRoutes({ reason }: SafeModeServerParts, url: () => string): Record<string, Answer> {
  return {
    '/healthz': ({ local }) => {
      // Only responses over the Unix socket contain the daemon's address. A second daemon process needs this address.
      const where = local ? { 'davit-address': url() } : {};
      return { status: 200, body: 'ok\n', headers: { ...NO_STORE, ...where } };
    },
    '/readyz': () => ({ status: 503, body: `${sentenceOf(reason())}\n`, headers: NO_STORE }),
  };
}

/** Returns the web page for browsers, and throws the error for all other clients. */
function refused({ isApi, isRead, headers }: Exchange, reason: SafeModeReason): Reply {
  if (!isApi && isRead && prefersPage(headers.accept ?? '')) {
    const own = {
      ...NO_STORE,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': SAFE_MODE_POLICY,
    };
    return { status: 503, body: safeModePage(reason), headers: own };
  }
  // Only the operator of the server can solve the problem, so an automatic retry is useless.
  throw new DavitError('storage_unavailable', sentenceOf(reason), { retryable: false });
}
