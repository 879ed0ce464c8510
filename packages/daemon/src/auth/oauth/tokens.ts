/**
 * The tokens of programs that people have let in. They open the MCP endpoint and nothing else, live an hour, and are
 * renewed with a second one that changes each time: one that comes back after that was stolen, and ends the grant.
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
/** Unused for so long, a grant is over. */
const GRANT_MS = 30 * 24 * 60 * 60_000;
/** A program whose answer was lost on the way asks again with what it had. */
const LEEWAY_MS = 30_000;
/** Of one grant. Of older ones it is not known any more that they were replaced: they are refused, and end nothing. */
const TOKENS_KEPT = 100;

export interface TokenParts {
  store: Store;
  now: () => number;
}

/** What a program gets, as the protocol names it. */
export interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** Why a program gets nothing, as the protocol names it. */
export class TokenRefused extends Error {
  override name = 'TokenRefused';
  readonly code: 'invalid_request' | 'invalid_grant' | 'invalid_target' | 'unsupported_grant_type';

  constructor(code: TokenRefused['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Records what a person has allowed. @returns the code that the program exchanges, within a minute and once */
export function grantAccess(
  { store, now }: TokenParts,
  { client, redirectUri, challenge, resource }: AuthorizationRequest,
  given: Pick<NewGrant, 'userId' | 'role' | 'projects'>,
): string {
  const code = randomSecret();
  const at = now();
  store.tx((tx) => {
    deleteDeadGrants(tx, at);
    // Without an exchange it is gone with its code.
    const expiresAt = at + CODE_MS;
    const grantId = insertGrant(tx, { ...given, clientId: client.id, clientName: client.name, at, expiresAt });
    const row = { grant_id: grantId, redirect_uri: redirectUri, challenge, resource, expires_at: expiresAt };
    insertCode(tx, hashSecret(code), row);
  });
  return code;
}

/** What a program sends for its tokens; each may be missing. */
export interface CodeExchange {
  code: string | null;
  verifier: string | null;
  clientId: string | null;
  redirectUri: string | null;
  resource: string | null;
}

/** @throws TokenRefused */
export function exchangeCode({ store, now }: TokenParts, asked: CodeExchange): TokenAnswer {
  const codeHash = hashSecret(asked.code ?? '');
  const answer = store.tx((tx) => {
    const code = codeByHash(tx, codeHash);
    const grant = code && grantById(tx, code.grant_id);
    if (!code || !grant) return null;
    // Whoever comes second, one of the two has stolen it.
    if (code.used === 1) {
      deleteGrant(tx, grant.id);
      return null;
    }
    if (!fits(code, grant, asked) || code.expires_at <= now() || grant.user_blocked === 1) return null;
    useCode(tx, codeHash);
    return issue(tx, grant, code.resource, now());
  });
  if (answer === null)
    throw new TokenRefused('invalid_grant', 'The code is not valid: it was used, is too old, or not yours.');
  return answer;
}

function fits(code: CodeRow, grant: GrantRow, { verifier, clientId, redirectUri, resource }: CodeExchange): boolean {
  const isVerifier = verifier !== null && /^[A-Za-z0-9._~-]{43,128}$/.test(verifier);
  if (!isVerifier || !equalSecrets(hash('sha256', verifier, 'base64url'), code.challenge)) return false;
  if (resource !== null && resource.replace(/\/$/, '') !== code.resource) return false;
  return clientId === grant.client_id && (redirectUri === null || redirectUri === code.redirect_uri);
}

/** @throws TokenRefused */
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
    // All of the grant: one whose answer was lost has not come to who asks again, and may have come to somebody else.
    markReplaced(tx, grant.id, now());
    return issue(tx, grant, token.resource, now());
  });
  if (answer === null)
    throw new TokenRefused('invalid_grant', 'The refresh token is not valid any more: ask the person again.');
  return answer;
}

function isStolen({ replaced_at: replacedAt }: TokenRow, at: number): boolean {
  return replacedAt !== null && at - replacedAt > LEEWAY_MS;
}

/** Ends a grant by any of its tokens. One that is unknown is over as well. */
export function revokeToken({ store }: TokenParts, token: string): void {
  const found = tokenByHash(store, hashSecret(token));
  if (found) store.tx((tx) => deleteGrant(tx, found.grant_id));
}

function issue(tx: Tx, grant: GrantRow, resource: string, at: number): TokenAnswer {
  // They look like keys, so that whatever keeps keys out of logs keeps them out as well.
  const [access, refresh] = [`davit_${randomSecret()}`, `davit_${randomSecret()}`];
  const common = { grant_id: grant.id, resource };
  insertToken(tx, hashSecret(access), { ...common, kind: 'access', expires_at: at + ACCESS_MS });
  insertToken(tx, hashSecret(refresh), { ...common, kind: 'refresh', expires_at: at + GRANT_MS });
  deleteOldTokens(tx, grant.id, TOKENS_KEPT);
  extendGrant(tx, grant.id, at + GRANT_MS);
  const answer = { access_token: access, token_type: 'Bearer', expires_in: ACCESS_MS / 1_000 } as const;
  return { ...answer, refresh_token: refresh, scope: scopeOf(roleOf(grant)) };
}

/** Everything that a role may do, as the protocol names it. */
function scopeOf(role: Role): string {
  const last = Object.values<Role>(SCOPES).indexOf(role);
  const carried = Object.keys(SCOPES).slice(0, last + 1);
  return carried.join(' ');
}
