import { DavitError, operations } from '@davit/api';
import { ALREADY_SENT, type ListenerBindings, type Logger, pathOf } from '@davit/service';
import { Hono } from 'hono';
import type { AuthenticationParts } from '../auth/actor.ts';
import type { RequestCounts } from '../resources/metrics/requests.ts';
import { audited, type RequestAuditParts } from './audit.ts';
import { type Reply, TAKEN_OVER } from './bind.ts';
import type { Dashboard } from './endpoints/dashboard.ts';
import type { Endpoint } from './exchange.ts';
import { Exchange, RequestContext } from './exchange.ts';
import { publicError } from './failure.ts';
import type { Idempotency } from './idempotency.ts';
import { judgeRequest, type PipelineParts } from './pipeline.ts';
import { ClientGone } from './request/body.ts';
import { respond, respondError } from './respond.ts';
import { Rests } from './rest.ts';
import { Rights, rightsEnded } from './rights.ts';
import type { LiveReply, Streams } from './streams/streams.ts';

import { ifUnchanged, type UnchangedParts } from './unchanged.ts';
import type { Waits } from './waits.ts';

export interface HttpParts extends Omit<PipelineParts, 'methodsOf'>, RequestAuditParts {
  idempotency: Idempotency;
  endpoints: readonly Endpoint[];
  waits: Waits;
  streams: Streams;
  requests: RequestCounts;
  dashboard: Dashboard;
}

export type HttpApp = Hono<{ Bindings: ListenerBindings }>;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * Creates the Hono app of the HTTP server. Hono only finds the endpoint for a percent-encoded URL path. Davit itself
 * makes all other checks of a request.
 */
export function createHttpApp(parts: HttpParts): HttpApp {
  const app: HttpApp = new Hono({
    getPath: (request, options) => pathOf(options?.env?.incoming?.url ?? new URL(request.url).pathname),
  });
  const reading = parts.endpoints.filter(({ method, readsElsewhere }) => method === 'GET' && !readsElsewhere);
  const readers = new Map(reading.map((one) => [one.path, one]));
  const serve = server({
    ...parts,
    methodsOf: (path) => methodsOf(app, path),
    readerOf: (path) => readers.get(path),
  });
  for (const endpoint of parts.endpoints) {
    app.on(endpoint.method, endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => serve(c.env, endpoint));
  }
  app.notFound((c) => serve(c.env, null));
  return app;
}

/**
 * Runs the handler of an endpoint. Also processes the headers `If-Match` and `Idempotency-Key`.
 * @throws DavitError of the handler, or if the caller has lost permissions
 */
export async function carryOut(
  endpoint: Endpoint,
  exchange: Exchange,
  parts: Pick<HttpParts, 'waits' | 'log' | 'now' | 'idempotency'> & UnchangedParts,
): Promise<Reply> {
  const { store, waits, log, idempotency } = parts;
  const ctx = new RequestContext(exchange, waits, log);
  const work = () => endpoint.handle(exchange, ctx);
  const { commits } = store;
  const reply = await ifUnchanged(exchange, ctx, parts, () => idempotency.carryOut(exchange, work));
  /*
   * Permissions can change only through a database commit. Without a new commit, the caller still has the same
   * permissions.
   */
  if (store.commits === commits) return reply;
  try {
    demandRightsAfter(exchange, parts);
  } catch (error) {
    if (reply.body instanceof ReadableStream) await reply.body.cancel();
    throw error;
  }
  return reply;
}

/**
 * Checks the caller's permissions after the handler, because the handler may have waited for another server. A caller
 * without permissions must not see the response.
 */
function demandRightsAfter(exchange: Exchange, parts: Pick<HttpParts, 'waits'> & AuthenticationParts): void {
  if (exchange.caller === null) return;
  if (!exchange.isRead) parts.store.trail.demandRightsUnlessChanged();
  else if (exchange.inner || !parts.waits.has(exchange.outgoing)) new Rights(parts, exchange).demand();
}

type Serve = (bindings: ListenerBindings, endpoint: Endpoint | null) => Promise<Response>;

function server(parts: HttpParts & PipelineParts & UnchangedParts): Serve {
  const { log, streams, requests } = parts;
  const rests = new Rests();
  return async (bindings, endpoint) => {
    const began = performance.now();
    const exchange = new Exchange(bindings, endpoint);
    const response = await audited(exchange, parts, async () => {
      try {
        const judged = await judgeRequest(exchange, parts);
        const reply = await carryOut(judged, exchange, parts);
        if (reply === TAKEN_OVER) return ALREADY_SENT;
        demandRightsAfterWait(exchange, parts);
        return await (isLive(reply) ? streams.answer(reply, exchange) : respond(reply, exchange));
      } catch (error) {
        return await fail(exchange, error, parts);
      }
    });
    if (exchange.headers['service-worker'] === 'script' && response !== ALREADY_SENT) forgetWorkers(response);
    requests.count(endpoint, response.status, performance.now() - began);
    record(exchange, response.status, log);
    if (response.status === 429 && exchange.caller === null) rests.begin(exchange.incoming, exchange.outgoing);
    return response;
  };
}

/**
 * Checks the caller's permissions again if the request had to wait. A request without a caller is not checked. A
 * deletion is not checked either, because the deleted object no longer has permissions.
 */
function demandRightsAfterWait(exchange: Exchange, parts: Pick<HttpParts, 'waits'> & AuthenticationParts): void {
  if (exchange.caller === null || !parts.waits.has(exchange.outgoing)) return;
  if (isDeletion(exchange) || isEnvelope(exchange)) return;
  try {
    new Rights(parts, exchange).demand();
  } catch (error) {
    if (!(error instanceof DavitError)) throw error;
    throw rightsEnded(error.code === 'unauthorized' ? 'unauthorized' : 'forbidden');
  }
}

/** Returns whether a request may delete its own target, such as an app or a project. */
function isDeletion({ method, endpoint }: Exchange): boolean {
  return method === 'DELETE' || endpoint?.operation === operations.deleteProjectWithContents.id;
}

/**
 * Makes the browser delete the service workers of this host name. The dashboard has no service workers, so an earlier
 * web site registered the existing ones.
 */
function forgetWorkers({ headers }: Response): void {
  // In `Clear-Site-Data`, the value `"storage"` includes service workers but not cookies, so users stay signed in.
  headers.set('Clear-Site-Data', '"cache", "storage"');
}

function isLive(reply: Reply): reply is LiveReply {
  return reply.events !== undefined;
}

async function fail(exchange: Exchange, thrown: unknown, parts: HttpParts & PipelineParts): Promise<Response> {
  const { log, methodsOf, dashboard } = parts;
  const gone = thrown instanceof ClientGone || (exchange.outgoing.destroyed && isAbort(thrown));
  // The client has closed the connection and does not receive this response.
  if (gone) return new Response(null, { status: 499 });
  const error = publicError(thrown);
  if (error.cause !== undefined && error.status >= 500) {
    const { requestId, method } = exchange;
    log.error({ requestId, method, path: noted(exchange.path), error: error.cause }, 'request failed');
  }
  if (error.code === 'no_such_route') {
    const page = await dashboard.missing(exchange);
    if (page !== null) return await respond(page, exchange);
  }
  const own = exchange.endpoint?.errorReply?.(error);
  if (own !== undefined) return respond(own, exchange);
  const more = error.code === 'method_not_allowed' ? { Allow: methodsOf(exchange.path).join(', ') } : {};
  return respondError(error, exchange, exchange.headers.accept, more);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/**
 * Writes a log line for a request. Frequent requests are logged at level `debug`. The query string is not logged,
 * because it may contain secrets.
 */
export function record(exchange: Exchange, status: number, log: Logger): void {
  const { isRead, method, path, requestId, caller } = exchange;
  const level =
    isRead || (isEnvelope(exchange) && status < 500) || (!caller && status >= 400 && status < 500) ? 'debug' : 'info';
  if (!log.isLevelEnabled(level)) return;
  const { username, via } = caller?.actor ?? {};
  log[level]({ requestId, method, path: noted(path), status, user: username, via }, 'request');
}

/**
 * Returns whether a request is an MCP message. Davit logs and checks each API operation of an MCP message separately.
 */
function isEnvelope({ endpoint }: Exchange): boolean {
  return endpoint?.path === '/mcp';
}

/** Shortens a URL path to 512 characters for a log line, and masks API keys in the path. */
function noted(path: string): string {
  return path.slice(0, 512).replaceAll(/davit_[0-9a-f]+/g, 'davit_…');
}

function methodsOf(app: HttpApp, path: string): string[] {
  const methods: string[] = METHODS.filter((method) => app.router.match(method, path)[0].length > 0);
  return methods.includes('GET') ? methods.toSpliced(1, 0, 'HEAD') : methods;
}

/**
 * Checks that no two endpoints have the same method and path.
 * @throws Error if two endpoints have the same method and path
 */
export function refuseDoubles(endpoints: readonly Endpoint[]): void {
  const names = endpoints.map(({ method, path }) => `${method} ${path}`);
  const double = names.find((name, i) => names.indexOf(name) !== i);
  if (double !== undefined) throw new Error(`the endpoint ${double} is registered twice`);
}
