import { type AuthenticationParts, bearerToken, type Caller, keyCaller, refuseToken } from './actor.ts';
import { askedAt, type RequestFacts } from './facts.ts';
import { resourceOf } from './oauth/request.ts';
import { tokenCaller } from './oauth/rights.ts';

/**
 * Authenticates a request to the MCP endpoint. The endpoint accepts API keys and OAuth tokens of connected programs.
 * These OAuth tokens are valid only for the MCP endpoint. Session cookies and the Unix socket are not accepted. Each
 * MCP client must have its own credential that a user can revoke.
 * @throws DavitError unauthorized
 */
export function agentCaller(parts: AuthenticationParts, facts: RequestFacts): Caller {
  const token = bearerToken(facts);
  return keyCaller(parts, token, 'mcp') ?? tokenCaller(parts, token, resourceOf(askedAt(facts))) ?? refuseToken();
}
