/**
 * Runs API operations for the caller of another request, such as an MCP message. These operations are part of the
 * request counters and the audit log.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { DavitError } from '@davit/api';
import { carryOut, type HttpParts, record } from './app.ts';
import { audited } from './audit.ts';
import type { Reply } from './bind.ts';
import type { Endpoint } from './exchange.ts';
import { Exchange, type InnerRequest } from './exchange.ts';
import { publicError } from './failure.ts';
import { judgeRequest } from './pipeline.ts';
import { ClientGone } from './request/body.ts';

/** API operation that the daemon runs for a client, for example because the client sent an MCP message. */
export interface Question {
  operation: string;
  /** URL path from the root, without a query. */
  path: string;
  query: Readonly<Record<string, string>>;
  body?: unknown;
}

/**
 * Result of an API operation that the daemon ran for a client. `exchange.target` is the object that the operation read
 * or changed.
 */
export type InnerAnswer = { exchange: Exchange } & (
  | { reply: Reply; error?: undefined }
  | { error: DavitError; reply?: undefined }
);

/**
 * Runs an API operation for a client. The operation is aborted if the client disconnects.
 * @param outer HTTP request of the client
 */
export type SendInnerRequest = (outer: Exchange, question: Question) => Promise<InnerAnswer>;

export type InnerParts = Pick<
  HttpParts,
  | 'store'
  | 'now'
  | 'log'
  | 'isReady'
  | 'rates'
  | 'domain'
  | 'idempotency'
  | 'waits'
  | 'requests'
  | 'audit'
  | 'endpoints'
>;

/**
 * Creates the function that runs API operations inside the daemon. The checks are the same as for requests over the
 * network.
 */
export function createSendInnerRequest(parts: InnerParts): SendInnerRequest {
  const endpoints = new Map(parts.endpoints.map((endpoint) => [endpoint.operation, endpoint]));
  return async (outer, question) => {
    const endpoint = endpoints.get(question.operation);
    if (endpoint === undefined) throw new Error(`there is no operation ${question.operation}`);
    const began = performance.now();
    const { incoming, outgoing, local } = outer;
    const exchange = new Exchange({ incoming, outgoing, local }, endpoint, inner(outer, endpoint, question));
    const outcome = await audited(exchange, parts, () => answer(exchange, parts));
    parts.requests.count(endpoint, outcome.status, performance.now() - began);
    record(exchange, outcome.status, parts.log);
    const { reply, error } = outcome;
    return error === undefined ? { exchange, reply } : { exchange, error };
  };
}

type Outcome = { status: number } & ({ reply: Reply; error?: undefined } | { error: DavitError; reply?: undefined });

async function answer(exchange: Exchange, parts: InnerParts): Promise<Outcome> {
  try {
    const found = await judgeRequest(exchange, { ...parts, methodsOf: () => [] });
    const reply = await carryOut(found, exchange, { ...parts, readerOf: () => undefined });
    return { status: reply.status, reply };
  } catch (thrown) {
    if (thrown instanceof ClientGone) throw thrown;
    const error = publicError(thrown);
    if (error.cause !== undefined && error.status >= 500) {
      const { requestId, method, path } = exchange;
      parts.log.error({ requestId, method, path, error: error.cause }, 'request failed');
    }
    return { status: error.status, error };
  }
}

function inner(outer: Exchange, endpoint: Endpoint, { path, query, body }: Question): InnerRequest {
  const text = new URLSearchParams(query).toString();
  const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body));
  return {
    method: endpoint.method,
    url: text === '' ? path : `${path}?${text}`,
    bytes,
    headers: {
      ...from(outer),
      ...(bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
    },
    requestId: outer.requestId,
    whoAsks: (parts) => outer.whoAsks(parts),
  };
}

const KEPT = ['x-forwarded-for', 'x-forwarded-proto', 'user-agent', 'davit-via'];

/**
 * Returns the client's headers that an internal request gets too. Omits credentials and conditions such as `If-Match`,
 * because they apply only to the client's request.
 */
function from({ headers }: Exchange): IncomingHttpHeaders {
  return Object.fromEntries(KEPT.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}
