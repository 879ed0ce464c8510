/**
 * Token service of the instance's registry, for `docker login`, `docker push` and `docker pull`. It uses the Docker
 * registry protocol and is not part of the API.
 */
import { DavitError } from '@davit/api';
import type { RegistryAccess } from '../../adapters/registry/registry.ts';
import type { Accounts } from '../../auth/accounts.ts';
import type { Actor } from '../../auth/context.ts';
import { addressNetwork, callerAddress } from '../../auth/facts.ts';
import { basicCredentials, isPullingApp, type PullingApp, registryCaller } from '../../auth/registry-caller.ts';
import { pushSubject, TOKEN_LIFE_S } from '../../auth/registry-keys.ts';
import { grant, MOST_SCOPES, pushedTo, splitScopes } from '../../auth/registry-scope.ts';
import { noteGrants, whyNoPushNow, whyNoRoom } from '../../resources/pushes/admission.ts';
import { rightsInRepository, rightsOfPullingApp, whyNoPush } from '../../resources/registry/rights.ts';
import { auditFacts } from '../audit.ts';
import type { Reply } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { absentEndpoint } from '../endpoint.ts';
import type { Endpoint } from '../exchange.ts';
import type { RateLimits } from '../request/rate-limits.ts';
import { registryError, registryErrorOf } from './errors.ts';

export interface RegistryTokenParts {
  core: HttpDeps;
  accounts: Accounts;
  rates: RateLimits;
  log: Parameters<typeof registryCaller>[0]['log'];
}

const NOT_KEPT = { 'cache-control': 'no-store' };
const WHO = { 'www-authenticate': 'Basic realm="davit"' };
const NO_CREDENTIALS = 'The registry requires a Davit user name and an API key as the password. Run “docker login”.';

export function registryTokenEndpoint(parts: RegistryTokenParts): Endpoint {
  const options = { access: 'open', raw: true, errorReply: registryErrorOf } as const;
  return absentEndpoint('GET /v2/token', options, async ({ exchange }) => {
    const credentials = basicCredentials(exchange);
    if (credentials === null) return registryError(401, NO_CREDENTIALS, WHO);
    const { core, accounts, log } = parts;
    const { store, now, registryKeys: keys } = core;
    const scopes = splitScopes(new URLSearchParams(exchange.queryText).getAll('scope'));
    const isPush = scopes?.some((scope) => pushedTo(scope) !== null) ?? false;
    /*
     * The slow check of the registry must run before the permission check. Otherwise, the result of the permission
     * check could be outdated.
     */
    const problem = isPush ? await whyNoPushNow(core) : null;
    try {
      const caller = await registryCaller({ store, now, log, accounts, keys }, credentials, exchange);
      if (!isPullingApp(caller)) parts.rates.take(caller, performance.now());
      if (scopes === null) return tooManyScopes();
      return isPullingApp(caller) ? answerPullingApp(core, caller, scopes) : answerActor(core, caller, scopes, problem);
    } catch (error) {
      if (!(error instanceof DavitError) || error.code !== 'unauthorized') throw error;
      core.audit.refuse(auditFacts(exchange, 401, store), 'refused', addressNetwork(callerAddress(exchange)));
      return registryError(401, error.message, WHO);
    }
  });
}

function tooManyScopes(): Reply {
  return registryError(400, `A token can have at most ${MOST_SCOPES} scopes. Request fewer scopes.`);
}

function answerPullingApp(core: HttpDeps, { appId, username }: PullingApp, scopes: readonly string[]): Reply {
  const rights = (repository: string) => rightsOfPullingApp(core.store, appId, repository);
  return tokenOf(core, username, grant(scopes, rights));
}

/**
 * Responds to a user who requests a token for the registry.
 * @param problem error message if the registry does not accept pushes now, otherwise `null`
 */
function answerActor(core: HttpDeps, caller: Actor, scopes: readonly string[], problem: string | null): Reply {
  const { store } = core;
  const access = grant(scopes, (repository) => rightsInRepository(store, caller, repository));
  const refused = refusedPush(scopes, access);
  if (refused !== null) return registryError(403, whyNoPush(store, caller, refused));
  if (problem !== null && access.some(({ actions }) => actions.includes('push'))) return registryError(403, problem);
  const full = whyNoRoom(core, access);
  if (full !== null) return registryError(403, full);
  const credentialId = noteGrants(core, caller, access);
  return tokenOf(core, credentialId === null ? caller.username : pushSubject(credentialId), access);
}

function tokenOf({ now, registryKeys }: HttpDeps, subject: string, access: RegistryAccess[]): Reply {
  const token = registryKeys.token(subject, access);
  const issued_at = new Date(now()).toISOString();
  const body = { token, access_token: token, expires_in: TOKEN_LIFE_S, issued_at };
  return { status: 200, body, headers: NOT_KEPT };
}

/**
 * Returns a repository for the error message, if the caller may not push to any requested repository. Without this
 * error, `docker push` only shows `denied`.
 */
function refusedPush(scopes: readonly string[], access: readonly RegistryAccess[]): string | null {
  const pushed = scopes.map(pushedTo).filter((name) => name !== null);
  const granted = new Set(access.map(({ repository }) => repository));
  return pushed.some((name) => granted.has(name)) ? null : (pushed[0] ?? null);
}
