import { type AuthenticationParts, bearerToken, type Caller, keyCaller, refuseToken } from './actor.ts';
import { askedAt, type RequestFacts } from './facts.ts';
import { resourceOf } from './oauth/request.ts';
import { tokenCaller } from './oauth/rights.ts';

/**
 * Authenticates a request to the MCP endpoint. The endpoint accepts API keys, and OAuth tokens of connected programs,
 * which are valid only here. It accepts neither cookies nor the local socket. Each MCP client must have its own
 * credential that can be revoked.
 * @throws DavitError unauthorized
 */
export function agentCaller(parts: AuthenticationParts, facts: RequestFacts): Caller {
  const token = bearerToken(facts);
  return keyCaller(parts, token, 'mcp') ?? tokenCaller(parts, token, resourceOf(askedAt(facts))) ?? refuseToken();
}
