/**
 * Checks of an HTTP request. Clients rely on the order of the checks. Permissions must be checked first, because errors
 * of later checks can reveal data.
 */
import { DavitError } from '@davit/api';
import { parseJsonObject } from '@davit/service';
import type { AuthenticationParts } from '../auth/actor.ts';
import { demandSameOrigin, refuseCrossOrigin } from '../auth/same-origin.ts';
import { lookUp } from '../authorization/lookup.ts';
import type { Endpoint, Exchange } from './exchange.ts';
import { announcesBody, demandJson, readBody } from './request/body.ts';
import { unknownField, validate } from './request/fields.ts';
import { demandOwnHost } from './request/own-host.ts';
import { parseQuery } from './request/query.ts';
import type { RateLimits } from './request/rate-limits.ts';
import { decodeSegment } from './request/target.ts';

export interface PipelineParts extends AuthenticationParts {
  /**
   * Returns whether the daemon accepts changes. After a start, the daemon must first continue the unfinished work of
   * the previous process.
   */
  isReady: () => boolean;
  /** Returns the HTTP methods that a URL path supports, for the error message if no endpoint matches. */
  methodsOf: (path: string) => string[];
  rates: RateLimits;
  /** Returns the domain of the instance. At this domain, the proxy serves the dashboard and the API. */
  domain: () => string;
}

interface Stage {
  name: string;
  /** HTTP statuses of the errors that the function `check` can throw. */
  answers: readonly number[];
  /**
   * Runs one check before the endpoint handles the request.
   * @throws DavitError if the request does not pass the check
   */
  check: (exchange: Exchange, parts: PipelineParts) => void | Promise<void>;
}

export const ORDER: readonly Stage[] = [
  { name: 'accepting', answers: [503], check: accepting },
  { name: 'signed in', answers: [401], check: signedIn },
  { name: 'within limits', answers: [429], check: withinLimits },
  { name: 'same origin', answers: [403], check: sameOrigin },
  { name: 'known', answers: [404, 405, 400], check: known },
  { name: 'media type', answers: [415], check: mediaType },
  { name: 'size', answers: [413], check: received },
  { name: 'still signed in', answers: [401], check: stillSignedIn },
  { name: 'JSON', answers: [400], check: isJson },
  { name: 'visible and allowed', answers: [404, 403], check: found },
  { name: 'fields', answers: [400], check: fields },
];

/** Runs all checks in order and returns the endpoint. The handler of the endpoint checks for conflicts (status 409). */
export async function judgeRequest(exchange: Exchange, parts: PipelineParts): Promise<Endpoint> {
  for (const { check } of ORDER) {
    const pending = check(exchange, parts);
    if (pending) await pending;
  }
  return matched(exchange);
}

function accepting({ isApi, isRead }: Exchange, { isReady }: PipelineParts): void {
  if (!isApi || isRead || isReady()) return;
  const message = 'The instance is starting and does not accept changes yet. Try again in a moment.';
  throw new DavitError('unavailable', message, { retryAfterS: 1 });
}

function signedIn(exchange: Exchange, parts: PipelineParts): void {
  if (!exchange.isApi || exchange.endpoint?.access === 'public') return;
  exchange.caller = exchange.whoAsks(parts);
}

function withinLimits(exchange: Exchange, { rates }: PipelineParts): void {
  // Requests that the daemon sends to itself are not counted, because the request of the client was already counted.
  if (exchange.inner) return;
  if (exchange.caller) exchange.allowance = rates.take(exchange.caller.actor, performance.now());
  // This rate limit is checked before the body is read. Otherwise, many requests to a public endpoint would cause much
  // work.
  else exchange.endpoint?.pace?.(exchange);
}

function sameOrigin(exchange: Exchange, { domain }: PipelineParts): void {
  const bySession = exchange.caller?.credential.kind === 'session';
  if (bySession && !exchange.local) demandOwnHost(exchange.headers.host, domain());
  if (exchange.isRead) return;
  if (bySession) demandSameOrigin(exchange);
  else if (exchange.endpoint?.access === 'public' && !exchange.local) refuseCrossOrigin(exchange);
}

function known(exchange: Exchange, { methodsOf }: PipelineParts): void {
  const { endpoint, path } = exchange;
  if (endpoint !== null) {
    exchange.params = paramsOf(endpoint.path, path);
    return;
  }
  const methods = methodsOf(path);
  if (methods.length > 0)
    throw new DavitError(
      'method_not_allowed',
      `This endpoint supports only ${methods.join(', ')}. Use one of these methods.`,
    );
  throw new DavitError('no_such_route');
}

function mediaType({ endpoint, method, headers }: Exchange): void {
  if (!endpoint?.raw) demandJson(method, headers);
}

function received(exchange: Exchange): void | Promise<void> {
  if (exchange.inner || !announcesBody(exchange.headers) || exchange.endpoint?.raw) return;
  return readBody(exchange.incoming, matched(exchange).bodyBytes).then((bytes) => {
    exchange.bytes = bytes.length === 0 ? null : bytes;
  });
}

/**
 * Authenticates the caller again after the body was read, because the caller may have lost permissions during a long
 * upload.
 */
function stillSignedIn(exchange: Exchange, parts: PipelineParts): void {
  if (exchange.caller === null || exchange.inner || !announcesBody(exchange.headers)) return;
  exchange.caller = exchange.whoAsks({ ...parts, isLook: true });
}

function isJson(exchange: Exchange): void {
  const { body, bodyOptional } = matched(exchange);
  if (exchange.bytes !== null) exchange.body = parseJsonObject(exchange.bytes);
  else if (body !== null && !bodyOptional) {
    throw new DavitError(
      'invalid_json',
      'The request has no body. Send one JSON object with “Content-Type: application/json”.',
    );
  }
}

function found(exchange: Exchange, { store }: PipelineParts): void {
  const { needs } = matched(exchange);
  if (needs === null) return;
  exchange.target = lookUp(store, exchange.signedIn.actor, needs.permission, needs.scope, exchange.params);
}

function fields(exchange: Exchange): void {
  const { query, body, raw } = matched(exchange);
  if (raw) return;
  const parameters = exchange.queryText === '' ? {} : parseQuery(exchange.queryText);
  if (query !== null) exchange.query = validate(query, parameters, 'query');
  else refuseAny(parameters, 'query');
  if (exchange.body === undefined) return;
  if (body !== null) exchange.body = validate(body, exchange.body, 'request');
  else refuseAny(exchange.body as object, 'request');
}

function refuseAny(fields: object, what: 'request' | 'query'): void {
  for (const name in fields) throw unknownField(name, what);
}

function matched({ endpoint }: Exchange): Endpoint {
  if (endpoint === null)
    throw new Error('the request has no endpoint; an earlier step should have rejected the request');
  return endpoint;
}

/**
 * Positions of the parameters in path templates such as `/api/projects/{project}`. Because of this cache, each template
 * is split only once.
 */
const positions = new Map<string, [index: number, name: string][]>();

/**
 * Returns the values of the parameters in a URL path. The path must match the path template, for example `/apps/{app}`.
 */
export function paramsOf(template: string, path: string): Record<string, string> {
  let parameters = positions.get(template);
  if (!parameters) {
    const parts = [...template.split('/').entries()].filter(([, part]) => part.startsWith('{'));
    parameters = parts.map(([i, part]) => [i, part.slice(1, -1)]);
    positions.set(template, parameters);
  }
  if (parameters.length === 0) return {};
  const segments = path.split('/');
  return Object.fromEntries(parameters.map(([i, name]) => [name, decodeSegment(segments[i] ?? '')]));
}
