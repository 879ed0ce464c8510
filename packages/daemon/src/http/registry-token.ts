/**
 * Where clients of the registry get their tokens: the protocol that `docker login`, `push` and `pull` speak. It answers
 * in that protocol's forms, and is not a part of the API.
 */
import { DavitError } from '@davit/api';
import type { Accounts } from '../auth/accounts.ts';
import { addressOf, networkOf } from '../auth/facts.ts';
import { basicCredentials, type RegistryCaller, registryCaller } from '../auth/registry-caller.ts';
import { ENGINE_USER, TOKEN_LIFE_S } from '../auth/registry-keys.ts';
import { grant, MOST_SCOPES, pushedTo, splitScopes } from '../auth/registry-scope.ts';
import type { Core } from '../core/core.ts';
import { noteGrants, whyNoPushNow } from '../core/push-guard.ts';
import { rightsInRepository, whyNoPush } from '../core/registry-rights.ts';
import type { RegistryAccess } from '../registry/registry.ts';
import { auditFacts } from './audit.ts';
import type { Reply } from './bind.ts';
import { absentEndpoint, type Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import type { RateLimits } from './rate-limits.ts';

export interface RegistryTokenParts {
  core: Core;
  accounts: Accounts;
  rates: RateLimits;
  log: Parameters<typeof registryCaller>[0]['log'];
}

const NOT_KEPT = { 'cache-control': 'no-store' };
const WHO = { ...NOT_KEPT, 'www-authenticate': 'Basic realm="davit"' };
const NOBODY = 'This needs a username and an API key of this instance: docker login.\n';

export function registryTokenEndpoint(parts: RegistryTokenParts): Endpoint {
  return absentEndpoint('GET /v2/token', { access: 'open', raw: true }, async ({ exchange }) => {
    const credentials = basicCredentials(exchange);
    if (credentials === null) return { status: 401, body: NOBODY, headers: WHO };
    const { core, accounts, log } = parts;
    const { store, now, registryKeys: keys } = core;
    try {
      const caller = await registryCaller({ store, now, log, accounts, keys }, credentials, exchange);
      if (caller !== 'engine') parts.rates.take(caller, performance.now());
      return await answer(core, caller, exchange);
    } catch (error) {
      if (!(error instanceof DavitError) || error.code !== 'unauthorized') throw error;
      core.audit.refuse(auditFacts(exchange, 401, store), 'refused', networkOf(addressOf(exchange)));
      return { status: 401, body: `${error.message}\n`, headers: WHO };
    }
  });
}

async function answer(core: Core, caller: RegistryCaller, { queryText }: Exchange): Promise<Reply> {
  const { store, now, registryKeys } = core;
  const scopes = splitScopes(new URLSearchParams(queryText).getAll('scope'));
  if (scopes === null) {
    const body = `A token is for at most ${MOST_SCOPES} scopes: ask for fewer.\n`;
    return { status: 400, body, headers: NOT_KEPT };
  }
  // Asked before the rights are looked at: from then on to the token nothing may come in between.
  const isPush = caller !== 'engine' && scopes.some((scope) => pushedTo(scope) !== null);
  const problem = isPush ? await whyNoPushNow(core) : null;
  const access = grant(scopes, (repository) =>
    caller === 'engine' ? ['pull'] : rightsInRepository(store, caller, repository),
  );
  const refused = caller === 'engine' ? null : refusedPush(scopes, access);
  if (refused !== null && caller !== 'engine') return denied(whyNoPush(store, caller, refused));
  if (problem !== null && access.some(({ actions }) => actions.includes('push'))) return denied(problem);
  if (caller !== 'engine') noteGrants(core, access);
  const token = registryKeys.token(caller === 'engine' ? ENGINE_USER : caller.username, access);
  const issued_at = new Date(now()).toISOString();
  const body = { token, access_token: token, expires_in: TOKEN_LIFE_S, issued_at };
  return { status: 200, body, headers: NOT_KEPT };
}

/**
 * The repository of a push that cannot begin, since its token would allow nothing where it goes; null for any other
 * question. Such a token would be in order, and every client then says «denied» and not why.
 */
function refusedPush(scopes: readonly string[], access: readonly RegistryAccess[]): string | null {
  const pushed = scopes.map(pushedTo).filter((name) => name !== null);
  const granted = new Set(access.map(({ repository }) => repository));
  return pushed.some((name) => granted.has(name)) ? null : (pushed[0] ?? null);
}

/** In the registry's own form, which clients show to who pushes. */
function denied(message: string): Reply {
  return { status: 403, body: { errors: [{ code: 'DENIED', message }] }, headers: NOT_KEPT };
}
