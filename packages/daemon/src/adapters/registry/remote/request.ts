/** Sends HTTP requests to other registries. The IP address of each connection is checked, also after a redirect. */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { allowsHost, guardedLookup, responseTo, unlessAborted } from '@davit/service';
import type { ConnectionRules } from './connection-rules.ts';
import { RemoteProblem } from './problem.ts';

/** Time in milliseconds without data after which a connection to another registry is closed. */
const IDLE_MS = 60_000;
const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

export interface RemoteRequest {
  method?: 'GET' | 'HEAD';
  headers?: Record<string, string>;
  rules: ConnectionRules;
  /**
   * `true` if the request may use a private address that an admin has allowed. A redirect from a public server to a
   * private address is never followed.
   */
  mayBePrivate: boolean;
  signal: AbortSignal;
}

export interface RemoteAnswer {
  answer: IncomingMessage;
  /** URL of the last request after all redirects. The response comes from this URL. */
  url: URL;
  /**
   * `true` for a response from a private address that an admin has allowed. The token service of this registry may then
   * also have a private address.
   */
  isPrivate: boolean;
}

/**
 * Sends a request and follows redirects. Only the first host gets the credentials.
 * @returns response with any status; the caller must read or destroy it
 * @throws RemoteProblem, or the abort reason
 */
export async function requestFollowing(first: URL, request: RemoteRequest): Promise<RemoteAnswer> {
  let url = first;
  let headers = { ...request.headers };
  let { mayBePrivate } = request;
  for (let redirects = 0; ; redirects += 1) {
    const { answer, address } = await requestOnce(url, { ...request, headers, mayBePrivate });
    const isPrivate = address !== undefined && !request.rules.isOpen(address);
    const { location } = answer.headers;
    if (!REDIRECTS.includes(answer.statusCode ?? 0) || location === undefined) return { answer, url, isPrivate };
    answer.destroy();
    if (redirects === MAX_REDIRECTS) throw invalid(`${first.host} redirects more than ${MAX_REDIRECTS} times`);
    const next = redirectTarget(url, location);
    if (next.origin !== url.origin) {
      const { authorization: _, ...rest } = headers;
      headers = rest;
      mayBePrivate = isPrivate;
    }
    url = next;
  }
}

function redirectTarget(from: URL, location: string): URL {
  const url = URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (url === null || url.username !== '' || url.password !== '')
    throw invalid(`${from.host} redirects to an address that is not valid`);
  if (from.protocol === 'https:' && url.protocol !== 'https:')
    throw invalid(`${from.host} redirects to a connection without TLS`);
  return url;
}

async function requestOnce(url: URL, { method = 'GET', headers, rules, mayBePrivate, signal }: RemoteRequest) {
  const isTls = url.protocol === 'https:';
  if (!isTls && (url.protocol !== 'http:' || !rules.allowsPlain(url))) throw invalid(`${url.host} does not use TLS`);
  const allows = rules.ruleFor(url, mayBePrivate);
  if (!allowsHost(url, allows)) throw refused(url.hostname);
  signal.throwIfAborted();
  let address: string | undefined;
  const options = {
    method,
    headers: { 'user-agent': 'Davit', ...headers },
    /*
     * Opens a new connection for each request, because the allowed IP addresses may have changed since the last
     * request.
     */
    agent: false as const,
    lookup: guardedLookup({ allows, refusal: refused, unknown: (host) => refused(host) }),
    timeout: IDLE_MS,
    signal,
  };
  const tls = { ...options, ...(isTls && { secureContext: rules.trust(url.host) }) };
  const sent = isTls ? requestHttps(url, tls) : requestHttp(url, options);
  sent.on('timeout', () => sent.destroy(new Error(`${url.host} sent no data for ${IDLE_MS / 1_000} s`)));
  /*
   * Stores the remote address as soon as the connection is open. After a connection reset, the socket no longer has the
   * address.
   */
  sent.on('socket', (socket) => socket.once('connect', () => (address = socket.remoteAddress)));
  const response = responseTo(sent);
  sent.end();
  try {
    return { answer: await unlessAborted(response, signal), address };
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw translate(cause as Error, url);
  }
}

function translate(cause: Error, url: URL): RemoteProblem {
  if (cause instanceof RemoteProblem) return cause;
  return new RemoteProblem('registry_unreachable', `${url.host}: ${cause.message}`, { cause });
}

/**
 * Returns the same error for unknown hosts and for forbidden addresses. Otherwise, users could find out which host
 * names exist in the private network.
 */
function refused(host: string): RemoteProblem {
  return new RemoteProblem('registry_not_public', `the host ${host} is unknown or has no allowed address`);
}

function invalid(message: string): RemoteProblem {
  return new RemoteProblem('registry_answer_invalid', message);
}

/**
 * Reads a complete response body.
 * @throws RemoteProblem if the body has more than `maxBytes` or the connection breaks, or the abort reason
 */
export async function readAnswerBody(answer: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > maxBytes) throw invalid(`a response is longer than ${maxBytes} bytes`);
      parts.push(part);
    }
  } catch (cause) {
    throw whyBrokeOff(cause, signal);
  }
  return Buffer.concat(parts);
}

/** Returns the error for a response body that ended too early. */
export function whyBrokeOff(cause: unknown, signal: AbortSignal): unknown {
  if (cause instanceof RemoteProblem) return cause;
  if (signal.aborted) return signal.reason;
  return new RemoteProblem('registry_unreachable', 'the connection was lost during a response', { cause });
}
