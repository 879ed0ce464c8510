import { ApiKeyCreate, LoginInput, PasswordChange, SetupInput } from '@davit/api';
import type { Accounts } from '../auth/accounts.ts';
import { sessionCookie } from '../auth/cookie.ts';
import { addressOf } from '../auth/facts.ts';
import { createOwnKey, type KeyParts, listOwnKeys, revokeOwnKey } from '../auth/own-keys.ts';
import { type OpenedSession, SESSION_LIFE_MS } from '../auth/sessions.ts';
import { pathNumber } from '../core/lookup.ts';
import { noContent, ok, type Reply } from './bind.ts';
import { absentEndpoint, type Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';

/** The claim, sign-in, and what an account does with its own keys and password. */
export function accountEndpoints(accounts: Accounts, keys: KeyParts): Endpoint[] {
  return [
    absentEndpoint('GET /api/setup', { access: 'public' }, () => ok({ claimed: accounts.isClaimed() })),
    absentEndpoint('POST /api/setup', { access: 'public', body: SetupInput }, async ({ exchange, body }) =>
      begun(201, exchange, await accounts.claim(body, addressOf(exchange))),
    ),
    absentEndpoint('POST /api/auth/login', { access: 'public', body: LoginInput }, async ({ exchange, body }) =>
      begun(200, exchange, await accounts.signIn(body, addressOf(exchange))),
    ),
    absentEndpoint('POST /api/auth/logout', { access: 'caller' }, ({ exchange }) => {
      accounts.signOut(exchange.signedIn);
      return { status: 204, headers: { 'set-cookie': sessionCookie(exchange, null, 0) } };
    }),
    absentEndpoint('GET /api/users/me/api-keys', { access: 'caller' }, ({ exchange }) =>
      ok(listOwnKeys(keys, exchange.signedIn)),
    ),
    absentEndpoint('POST /api/users/me/api-keys', { access: 'caller', body: ApiKeyCreate }, ({ exchange, body }) => ({
      status: 201,
      body: createOwnKey(keys, exchange.signedIn, body),
    })),
    absentEndpoint('DELETE /api/users/me/api-keys/{key}', { access: 'caller' }, ({ exchange, params }) => {
      revokeOwnKey(keys, exchange.signedIn, pathNumber(params.key));
      return noContent();
    }),
    absentEndpoint(
      'PUT /api/users/me/password',
      { access: 'caller', body: PasswordChange },
      async ({ exchange, body }) => {
        await accounts.changePassword(exchange.signedIn, body, addressOf(exchange));
        return noContent();
      },
    ),
  ];
}

function begun(status: number, exchange: Exchange, { session, token }: OpenedSession): Reply {
  const cookie = sessionCookie(exchange, token, SESSION_LIFE_MS / 1_000);
  return { status, body: session, headers: { 'set-cookie': cookie } };
}
