/** Functions that return the account at the certificate authority and the rate limits of the authority. */
import { type Authority, type ExternalAccount, timestamp } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { demandAllProjects } from '../../authorization/lookup.ts';
import { acmeAccount, acmeBinding, deleteAcmeBinding, putAcmeBinding } from '../../db/tables/acme-account.ts';
import { retryNames } from '../../db/tables/certificate-name.ts';
import { ordersSince } from '../../db/tables/certificate-order.ts';
import { bindingLocation, resumeAuthority } from './account.ts';
import { authorityOf } from './authority.ts';
import type { CertificatesDeps } from './deps.ts';
import { LONGEST_WINDOW_MS, limitsInUse } from './order-allowance.ts';

const WHAT = 'connect or disconnect an account at the certificate authority';

/**
 * Returns the certificate authority and Davit's account at this authority. Also returns how much of each rate limit
 * Davit has used.
 */
export function readAuthority({ store, settings, now }: CertificatesDeps, { actor }: OpContext): Authority {
  const { directory, email } = settings().acme;
  const { name, public: isPublic, ...authority } = authorityOf(directory);
  const account = acmeAccount(store, directory);
  const at = now();
  const isPaused = (account?.paused_until ?? 0) > at;
  const orders = ordersSince(store, directory, at - LONGEST_WINDOW_MS);
  return {
    directory,
    name,
    public: isPublic,
    email,
    account: account?.url ?? null,
    external_account: acmeBinding(store, directory)?.kid ?? null,
    problem: isPaused ? (account?.problem ?? null) : null,
    problem_code: isPaused ? (account?.problem_code ?? null) : null,
    paused_until: isPaused ? timestamp(account?.paused_until ?? null) : null,
    /*
     * Some rate limits contain a host name, which can belong to another project. So return these rate limits only to
     * users who can see all projects.
     */
    limits: limitsInUse({ name, public: isPublic, ...authority }, orders, at).filter(
      ({ subject }) => actor.projects === null || subject === null,
    ),
  };
}

/**
 * Saves the credentials of an external ACME account.
 * @throws DavitError forbidden if the user may access only some projects
 */
export function bindExternalAccount(
  core: CertificatesDeps,
  ctx: OpContext,
  { kid, hmac_key }: ExternalAccount,
): Authority {
  demandAllProjects(ctx.actor, WHAT);
  const { directory } = core.settings().acme;
  const sealed = core.sealer.seal(hmac_key, bindingLocation(directory));
  core.store.tx((tx) => {
    putAcmeBinding(tx, { directory, kid, hmac_key: sealed });
    // Retry all failed certificate orders, because the missing account credentials may have caused their errors.
    retryNames(tx);
  });
  resumeAuthority(core);
  core.nudgeCertificates();
  return readAuthority(core, ctx);
}

/**
 * Deletes the credentials of the external ACME account.
 * @throws DavitError forbidden if the user may access only some projects
 */
export function unbindExternalAccount(core: CertificatesDeps, { actor }: OpContext): void {
  demandAllProjects(actor, WHAT);
  core.store.tx((tx) => deleteAcmeBinding(tx, core.settings().acme.directory));
}
