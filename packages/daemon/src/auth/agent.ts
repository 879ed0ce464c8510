import { DavitError } from '@davit/api';
import { type AuthenticationParts, bearerToken, type Caller, keyCaller, refuseToken } from './actor.ts';
import { type RequestFacts, requestBaseUrl } from './facts.ts';
import { resourceOf } from './oauth/request.ts';
import { tokenCaller } from './oauth/rights.ts';

/**
 * Authenticates an MCP request by API key or OAuth token, because a user can revoke both. Session cookies and the Unix
 * socket are not accepted.
 * @throws DavitError unauthorized
 */
export function agentCaller(parts: AuthenticationParts, facts: RequestFacts): Caller {
  if (facts.headers.authorization === undefined) {
    throw new DavitError(
      'unauthorized',
      'The request has no API key and no OAuth token. Send an API key of this instance in the header “Authorization: Bearer <key>”.',
    );
  }
  const token = bearerToken(facts);
  return (
    keyCaller(parts, token, 'mcp') ?? tokenCaller(parts, token, resourceOf(requestBaseUrl(facts))) ?? refuseToken()
  );
}
