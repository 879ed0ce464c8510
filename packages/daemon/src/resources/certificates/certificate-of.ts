import { type DomainCertificate, timestamp } from '@davit/api';
import { acmeAccount } from '../../db/tables/acme-account.ts';
import { certificateName, type NameRow } from '../../db/tables/certificate-name.ts';
import { isValid, servedFor, wildcardOver } from '../../routing/host-certificates.ts';
import { type WantedNamesDeps, whyNone } from './wanted.ts';

/** Returns the state of the TLS certificate for a host of the instance or of an app. */
export function certificateOf(base: WantedNamesDeps, host: string): DomainCertificate {
  const served = servedFor(base, host);
  const row = orderingOf(base, host);
  const shown = {
    id: served?.id ?? null,
    not_after: timestamp(served?.not_after ?? null),
    problem: row?.problem ?? null,
    problem_code: row?.problem_code ?? null,
    next_try_at: timestamp(row?.next_try_at ?? null),
  };
  if (served !== undefined && isValid(served, base.now())) return { ...shown, status: 'active' };
  if (row?.status === 'ordering') return { ...shown, status: 'ordering' };
  const none = whyNone(base)(host);
  if (none !== null)
    return { ...shown, status: 'none', problem: none.message, problem_code: none.code, next_try_at: null };
  if (row !== undefined && row.status !== 'idle') return { ...shown, status: row.status };
  const account = acmeAccount(base.store, base.settings().acme.directory);
  const isPaused = (account?.paused_until ?? 0) > base.now();
  if (!isPaused) return { ...shown, status: 'waiting' };
  const { problem = null, problem_code = null, paused_until = null } = account ?? {};
  return { ...shown, status: 'waiting', problem, problem_code, next_try_at: timestamp(paused_until) };
}

/**
 * Returns the state of the certificate order for a host name. If the host name has no order, the order for a matching
 * wildcard name is used.
 */
function orderingOf({ store }: WantedNamesDeps, host: string): NameRow | undefined {
  const wildcard = wildcardOver(host);
  const own = certificateName(store, host);
  if (own !== undefined && own.status !== 'idle') return own;
  return (wildcard === null ? undefined : certificateName(store, wildcard)) ?? own;
}
