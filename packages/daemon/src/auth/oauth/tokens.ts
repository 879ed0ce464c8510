/**
 * Issues and renews OAuth tokens for the MCP endpoint. If a replaced refresh token is used late, it was probably
 * stolen, so Davit disconnects the client.
 */
import { hash } from 'node:crypto';
import type { Role } from '@davit/api';
import type { Store, Tx } from '../../db/store.ts';
import {
  type CodeRow,
  codeByHash,
  deleteDeadGrants,
  deleteGrant,
  deleteOldTokens,
  extendGrant,
  type GrantRow,
  grantById,
  insertCode,
  insertGrant,
  insertToken,
  markReplaced,
  type NewGrant,
  type TokenRow,
  tokenByHash,
  useCode,
} from '../../db/tables/oauth.ts';
import { equalSecrets, hashSecret, randomSecret } from '../secrets.ts';
import { type AuthorizationRequest, SCOPES } from './request.ts';
import { roleOf } from './rights.ts';

const CODE_MS = 60_000;
const ACCESS_MS = 60 * 60_000;
/** Time in milliseconds after which a connected client is disconnected if it does not renew its tokens. */
const GRANT_MS = 30 * 24 * 60 * 60_000;
/**
 * Time in milliseconds for which a replaced refresh token is still accepted. The client may not have received the
 * response with the new token.
 */
const LEEWAY_MS = 30_000;
/**
 * Maximum number of stored tokens of a client. Davit deletes older tokens. If a client sends a deleted token, the
 * client stays connected.
 */
const TOKENS_KEPT = 100;

export interface TokenParts {
  store: Store;
  now: () => number;
}

/** Response to an OAuth token request. The field names come from the OAuth standard. */
export interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** Error of an OAuth token request. The error code comes from the OAuth standard. */
export class TokenRefused extends Error {
  override name = 'TokenRefused';
  readonly code: 'invalid_request' | 'invalid_grant' | 'invalid_target' | 'unsupported_grant_type';

  constructor(code: TokenRefused['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Records that a user gives access to a client.
 * @returns the authorization code. Within one minute, the client can exchange this code for tokens once.
 */
export function grantAccess(
  { store, now }: TokenParts,
  { client, redirectUri, challenge, resource }: AuthorizationRequest,
  given: Pick<NewGrant, 'userId' | 'role' | 'projects'>,
): string {
  const code = randomSecret();
  const at = now();
  store.tx((tx) => {
    deleteDeadGrants(tx, at);
    /*
     * The grant expires with its authorization code. If the client exchanges the code for tokens, the grant is
     * extended.
     */
    const expiresAt = at + CODE_MS;
    const grantId = insertGrant(tx, { ...given, clientId: client.id, clientName: client.name, at, expiresAt });
    const row = { grant_id: grantId, redirect_uri: redirectUri, challenge, resource, expires_at: expiresAt };
    insertCode(tx, hashSecret(code), row);
  });
  return code;
}

/** Parameters of an OAuth token request. `null` means that the parameter is missing. */
export interface CodeExchange {
  code: string | null;
  verifier: string | null;
  clientId: string | null;
  redirectUri: string | null;
  resource: string | null;
}

/** Exchanges an authorization code for tokens. @throws TokenRefused */
export function exchangeCode({ store, now }: TokenParts, exchange: CodeExchange): TokenAnswer {
  const codeHash = hashSecret(exchange.code ?? '');
  const answer = store.tx((tx) => {
    const code = codeByHash(tx, codeHash);
    const grant = code && grantById(tx, code.grant_id);
    if (!code || !grant) return null;
    // If an authorization code is exchanged twice, it was stolen. The client is then disconnected.
    if (code.used === 1) {
      deleteGrant(tx, grant.id);
      return null;
    }
    if (!fits(code, grant, exchange) || code.expires_at <= now() || grant.user_blocked === 1) return null;
    useCode(tx, codeHash);
    return issue(tx, grant, code.resource, now());
  });
  if (answer === null)
    throw new TokenRefused(
      'invalid_grant',
      'The authorization code is not valid: it was used, has expired, or belongs to another client. Start the authorization again.',
    );
  return answer;
}

function fits(code: CodeRow, grant: GrantRow, { verifier, clientId, redirectUri, resource }: CodeExchange): boolean {
  const isVerifier = verifier !== null && /^[A-Za-z0-9._~-]{43,128}$/.test(verifier);
  if (!isVerifier || !equalSecrets(hash('sha256', verifier, 'base64url'), code.challenge)) return false;
  if (resource !== null && resource.replace(/\/$/, '') !== code.resource) return false;
  return clientId === grant.client_id && (redirectUri === null || redirectUri === code.redirect_uri);
}

/**
 * Uses the refresh token of a connected client to issue new tokens.
 * @throws TokenRefused
 */
export function refreshTokens(
  { store, now }: TokenParts,
  refreshToken: string | null,
  clientId: string | null,
): TokenAnswer {
  const tokenHash = hashSecret(refreshToken ?? '');
  const answer = store.tx((tx) => {
    const token = tokenByHash(tx, tokenHash);
    const grant = token && grantById(tx, token.grant_id);
    if (!token || !grant || token.kind !== 'refresh' || token.expires_at <= now()) return null;
    if (clientId !== grant.client_id || grant.user_blocked === 1) return null;
    if (isStolen(token, now())) {
      deleteGrant(tx, grant.id);
      return null;
    }
    // Refresh tokens that the client never received are also replaced, because an attacker may have received them.
    markReplaced(tx, grant.id, now());
    return issue(tx, grant, token.resource, now());
  });
  if (answer === null)
    throw new TokenRefused(
      'invalid_grant',
      'The refresh token is no longer valid. Ask the user to authorize the client again.',
    );
  return answer;
}

function isStolen({ replaced_at: replacedAt }: TokenRow, at: number): boolean {
  return replacedAt !== null && at - replacedAt > LEEWAY_MS;
}

/** Disconnects the client to which a token belongs. Does nothing if the token is unknown. */
export function revokeToken({ store }: TokenParts, token: string): void {
  const found = tokenByHash(store, hashSecret(token));
  if (found) store.tx((tx) => deleteGrant(tx, found.grant_id));
}

function issue(tx: Tx, grant: GrantRow, resource: string, at: number): TokenAnswer {
  // OAuth tokens have the format of API keys. Filters that remove API keys from logs then also remove OAuth tokens.
  const [access, refresh] = [`davit_${randomSecret()}`, `davit_${randomSecret()}`];
  const common = { grant_id: grant.id, resource };
  insertToken(tx, hashSecret(access), { ...common, kind: 'access', expires_at: at + ACCESS_MS });
  insertToken(tx, hashSecret(refresh), { ...common, kind: 'refresh', expires_at: at + GRANT_MS });
  deleteOldTokens(tx, grant.id, TOKENS_KEPT);
  extendGrant(tx, grant.id, at + GRANT_MS);
  const answer = { access_token: access, token_type: 'Bearer', expires_in: ACCESS_MS / 1_000 } as const;
  return { ...answer, refresh_token: refresh, scope: scopeOf(roleOf(grant)) };
}

/** Returns the OAuth scopes of a role and of all lower roles, separated by spaces. */
function scopeOf(role: Role): string {
  const last = Object.values<Role>(SCOPES).indexOf(role);
  const carried = Object.keys(SCOPES).slice(0, last + 1);
  return carried.join(' ');
}
