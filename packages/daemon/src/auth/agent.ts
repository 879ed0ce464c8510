import { type AuthenticationParts, bearerToken, type Caller, keyCaller, refuseToken } from './actor.ts';
import { askedAt, type RequestFacts } from './facts.ts';
import { resourceOf } from './oauth/request.ts';
import { tokenCaller } from './oauth/rights.ts';

/**
 * Who an agent speaks for at the MCP endpoint: by a key, as everywhere, or by a token that a person gave its program,
 * which opens nothing else. No cookie counts there, and no socket: an agent is somebody, and can be sent away.
 * @throws DavitError unauthorized
 */
export function agentCaller(parts: AuthenticationParts, facts: RequestFacts): Caller {
  const token = bearerToken(facts);
  return keyCaller(parts, token, 'mcp') ?? tokenCaller(parts, token, resourceOf(askedAt(facts))) ?? refuseToken();
}
