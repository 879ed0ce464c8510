import { type AuthenticationParts, bearerToken, type Caller, keyCaller, refuseToken } from './actor.ts';
import { askedAt, type RequestFacts } from './facts.ts';
import { resourceOf } from './oauth/request.ts';
import { tokenCaller } from './oauth/rights.ts';

/**
 * Authenticates a request to the MCP endpoint. The endpoint accepts API keys, and tokens that a user gave to a
 * connected program. These tokens are valid only for the MCP endpoint. Cookies and the local socket are not accepted,
 * because every MCP client must have its own credential that can be revoked.
 * @throws DavitError unauthorized
 */
export function agentCaller(parts: AuthenticationParts, facts: RequestFacts): Caller {
  const token = bearerToken(facts);
  return keyCaller(parts, token, 'mcp') ?? tokenCaller(parts, token, resourceOf(askedAt(facts))) ?? refuseToken();
}
