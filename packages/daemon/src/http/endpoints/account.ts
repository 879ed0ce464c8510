import { ApiKeyCreate, LoginInput, PasswordChange, SetupInput } from '@davit/api';
import type { Accounts } from '../../auth/accounts.ts';
import { hasSession } from '../../auth/actor.ts';
import { sessionCookie, sessionToken } from '../../auth/cookie.ts';
import { callerAddress } from '../../auth/facts.ts';
import { createOwnKey, type KeyParts, listOwnKeys, revokeOwnKey, rotateOwnKey } from '../../auth/own-keys.ts';
import { endOwnSession, listOwnSessions } from '../../auth/own-sessions.ts';
import { isExposed } from '../../auth/session-binding.ts';
import { type OpenedSession, type Origin, SESSION_LIFE_MS } from '../../auth/sessions.ts';
import { pathNumber } from '../../input/path-number.ts';
import { noContent, ok, type Reply } from '../bind.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint, Exchange } from '../exchange.ts';

const CREATED = 201;
const GONE = 204;

/**
 * Returns the endpoints for the setup, the sign-in and the sign-out. Also returns the endpoints for a user's own API
 * keys, sessions and password.
 */
export function accountEndpoints(accounts: Accounts, keys: KeyParts): Endpoint[] {
  return [
    ...signInEndpoints(accounts, keys),
    ...keyEndpoints(keys),
    ...sessionEndpoints(keys),
    passwordEndpoint(accounts),
  ];
}

function signInEndpoints(accounts: Accounts, parts: KeyParts): Endpoint[] {
  const pace = (exchange: Exchange) => accounts.pace(callerAddress(exchange));
  return [
    absentEndpoint('GET /api/setup', { access: 'public' }, ({ exchange }) =>
      ok({ claimed: accounts.isClaimed(), signed_in: hasSession(parts, exchange) }),
    ),
    absentEndpoint(
      'POST /api/setup',
      { access: 'public', body: SetupInput, success: CREATED, pace },
      async ({ exchange, body }) => begun(CREATED, exchange, await accounts.claim(body, originOf(exchange))),
    ),
    absentEndpoint('POST /api/auth/login', { access: 'public', body: LoginInput, pace }, async ({ exchange, body }) =>
      begun(200, exchange, await accounts.signIn(body, originOf(exchange), sessionToken(exchange))),
    ),
    absentEndpoint('POST /api/auth/logout', { access: 'caller', success: GONE }, ({ exchange }) => {
      accounts.signOut(exchange.signedIn);
      return { status: GONE, headers: { 'set-cookie': sessionCookie(exchange, null, 0) } };
    }),
  ];
}

function keyEndpoints(keys: KeyParts): Endpoint[] {
  return [
    absentEndpoint('GET /api/users/me/api-keys', { access: 'caller', compresses: true }, ({ exchange }) =>
      ok(listOwnKeys(keys, exchange.signedIn)),
    ),
    absentEndpoint(
      'POST /api/users/me/api-keys',
      { access: 'caller', body: ApiKeyCreate, success: CREATED },
      ({ exchange, body }) => ({ status: CREATED, body: createOwnKey(keys, exchange.signedIn, body) }),
    ),
    absentEndpoint(
      'DELETE /api/users/me/api-keys/{key}',
      { access: 'caller', success: GONE },
      ({ exchange, params }) => {
        revokeOwnKey(keys, exchange.signedIn, pathNumber(params.key));
        return noContent();
      },
    ),
    absentEndpoint('POST /api/users/me/api-keys/{key}/rotate', { access: 'caller' }, ({ exchange, params }) =>
      ok(rotateOwnKey(keys, exchange.signedIn, pathNumber(params.key))),
    ),
  ];
}

function sessionEndpoints(parts: KeyParts): Endpoint[] {
  return [
    absentEndpoint('GET /api/users/me/sessions', { access: 'caller', compresses: true }, ({ exchange }) =>
      ok(listOwnSessions(parts, exchange.signedIn)),
    ),
    absentEndpoint(
      'DELETE /api/users/me/sessions/{session}',
      { access: 'caller', success: GONE },
      ({ exchange, params }) => {
        endOwnSession(parts, exchange.signedIn, pathNumber(params.session));
        return noContent();
      },
    ),
  ];
}

function passwordEndpoint(accounts: Accounts): Endpoint {
  return absentEndpoint(
    'PUT /api/users/me/password',
    { access: 'caller', body: PasswordChange, success: GONE },
    async ({ exchange, body }) => {
      const opened = await accounts.changePassword(exchange.signedIn, body, originOf(exchange));
      return opened === null ? noContent() : { status: GONE, headers: cookieHeader(exchange, opened) };
    },
  );
}

function originOf(exchange: Exchange): Origin {
  const { headers, isSecure } = exchange;
  return {
    address: callerAddress(exchange),
    userAgent: headers['user-agent'] ?? null,
    isPlain: !isSecure,
    isExposed: isExposed(exchange),
  };
}

function begun(status: number, exchange: Exchange, opened: OpenedSession): Reply {
  return { status, body: opened.session, headers: cookieHeader(exchange, opened) };
}

function cookieHeader(exchange: Exchange, { token }: OpenedSession): Record<string, string> {
  return { 'set-cookie': sessionCookie(exchange, token, SESSION_LIFE_MS / 1_000) };
}
