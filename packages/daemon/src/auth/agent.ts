import { type AuthenticationParts, bearerToken, type Caller, keyCaller, refuseToken } from './actor.ts';
import { type RequestFacts, requestBaseUrl } from './facts.ts';
import { resourceOf } from './oauth/request.ts';
import { tokenCaller } from './oauth/rights.ts';

/**
 * Authenticates a request to the MCP endpoint. Accepts API keys and the OAuth tokens of connected clients, which are
 * valid only for this endpoint. Does not accept session cookies or the Unix socket, because each MCP client must have
 * its own credential that a user can revoke.
 * @throws DavitError unauthorized
 */
export function agentCaller(parts: AuthenticationParts, facts: RequestFacts): Caller {
  const token = bearerToken(facts);
  return (
    keyCaller(parts, token, 'mcp') ?? tokenCaller(parts, token, resourceOf(requestBaseUrl(facts))) ?? refuseToken()
  );
}
