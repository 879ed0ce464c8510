import { type AppParts, isDefaultHost } from '../../adapters/proxy/routes.ts';
import { appBySlugs } from '../../db/tables/app.ts';
import { setCertificateName } from '../../db/tables/certificate-name.ts';
import type { CertificatesDeps } from './deps.ts';
import { isUsed } from './wanted.ts';

/**
 * Saves the time of the first request for a default host of an app. A default host is a host name that Davit generates,
 * and it gets a certificate only after its first request. Requests for unknown hosts are not saved. Otherwise, anyone
 * could fill the database.
 * @param host lower case, without a port
 * @returns whether this is the first request for the host
 */
export function noteFirstRequest(base: CertificatesDeps, host: string): boolean {
  const parts = parseDefaultHost(host, base.facts.domain);
  if (parts === null || isUsed(base, host)) return false;
  if (appBySlugs(base.store, parts.project, parts.environment, parts.app) === undefined) return false;
  base.store.tx((tx) => setCertificateName(tx, host, { asked_at: base.now() }));
  base.nudgeCertificates();
  return true;
}

function parseDefaultHost(host: string, domain: string): AppParts | null {
  if (!isDefaultHost(host, domain)) return null;
  const [app = '', environment = '', project = ''] = host.split('.');
  return { app, environment, project };
}
