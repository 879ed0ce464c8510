/**
 * Endpoint `POST /mcp`. Checks host, origin, credentials, rate limit and size before parsing. The MCP SDK is loaded
 * with the first message.
 */
import { BODY_BYTES, DavitError } from '@davit/api';
import { parseJsonObject } from '@davit/service';
import { agentCaller } from '../auth/agent.ts';
import { addressNetwork, callerAddress } from '../auth/facts.ts';
import { auditFacts } from '../http/audit.ts';
import type { Reply } from '../http/bind.ts';
import { absentEndpoint } from '../http/endpoint.ts';
import type { Endpoint, Exchange } from '../http/exchange.ts';
import { demandJson, readBody } from '../http/request/body.ts';
import type { RateLimits } from '../http/request/rate-limits.ts';
import { type CallerParts, McpCaller } from './caller.ts';
import { demandOwnSite } from './own-site.ts';
import { RPC, refusedMessage, wrongParams } from './rpc.ts';
import type { Message, Serve } from './serve.ts';
import { toolChoice } from './toolsets.ts';

export interface McpParts extends CallerParts {
  rates: RateLimits;
  /**
   * Returns the `WWW-Authenticate` header with the address for the OAuth sign-in. For an invalid key, the header
   * also contains an error.
   */
  challenge: (exchange: Exchange) => string;
}

export function mcpEndpoint(parts: McpParts): Endpoint {
  const { core, log } = parts;
  let serving: Promise<Serve> | undefined;
  return absentEndpoint('POST /mcp', { access: 'open', raw: true, whoAsks: agentCaller }, async ({ exchange }) => {
    demandOwnSite(exchange, core.facts.domain);
    const unauthorized = signIn(exchange, parts, false);
    if (unauthorized !== null) return unauthorized;
    exchange.allowance = parts.rates.take(exchange.signedIn.actor, performance.now());
    const choice = toolChoice(exchange.queryText);
    demandJson(exchange.method, exchange.headers);
    const bytes = await readBody(exchange.incoming, BODY_BYTES);
    // Check the credentials again, because they may have been revoked while a slow client sent the body.
    const ended = signIn(exchange, parts, true);
    if (ended !== null) return ended;
    const { message, refusal } = messageOf(bytes);
    if (refusal !== undefined) return refusal;
    serving ??= import('./serve.ts').then(({ createServe }) => createServe(log));
    const serve = await serving;
    return serve(message, new McpCaller(parts, exchange, choice), exchange);
  });
}

/**
 * Checks the credentials of a request. Returns a 401 response, or `null` if the credentials are valid.
 * @param isLook `true` for a repeated check, which does not update the time of the last use
 */
function signIn(exchange: Exchange, { core, log, challenge }: McpParts, isLook: boolean): Reply | null {
  const { store, now, audit } = core;
  try {
    exchange.caller = exchange.whoAsks({ store, now, log, isLook });
    return null;
  } catch (error) {
    if (!(error instanceof DavitError) || error.code !== 'unauthorized') throw error;
    audit.refuse(auditFacts(exchange, 401, store), 'refused', addressNetwork(callerAddress(exchange)));
    const headers = { 'WWW-Authenticate': challenge(exchange), 'Cache-Control': 'no-store' };
    return { status: 401, body: `${error.message}\n`, headers };
  }
}

type Read = { message: Message; refusal?: undefined } | { refusal: Reply; message?: undefined };

/** Parses the body of an MCP request as one JSON-RPC message. For an invalid message, returns the error response. */
function messageOf(bytes: Buffer): Read {
  try {
    const message = parseJsonObject(bytes);
    if (message.jsonrpc !== '2.0') {
      return { refusal: refusedMessage(400, RPC.invalidRequest, 'The body is not a JSON-RPC 2.0 message.', message) };
    }
    // This endpoint has no event stream. So notifications are sent only in the response of the tool call.
    if (message.method === 'subscriptions/listen') {
      return { refusal: refusedMessage(404, RPC.noSuchMethod, 'Method not found', message) };
    }
    const wrong = wrongParams(message);
    if (wrong !== null) return { refusal: refusedMessage(400, RPC.invalidParams, wrong, message) };
    return { message };
  } catch (error) {
    if (!(error instanceof DavitError)) throw error;
    const isBatch = /^\s*\[/.test(bytes.subarray(0, 100).toString());
    if (!isBatch) return { refusal: refusedMessage(400, RPC.parseError, error.message) };
    return {
      refusal: refusedMessage(400, RPC.invalidRequest, 'Batches are not supported. Send one message at a time.'),
    };
  }
}
