import type { App, Certificate, Instance } from '@davit/api';
import { openableDomains } from '../app/addresses.ts';

/** Counts the replicas of an app that are ready for requests. */
export function servingOf({ replicas }: Pick<App, 'replicas'>): number {
  return replicas.filter(({ state }) => state === 'ready').length;
}

/**
 * Counts the replicas of an app that should be ready for requests. Replicas that are starting or draining are not
 * included.
 */
export function wantedOf({ replicas }: Pick<App, 'replicas'>): number {
  return replicas.filter(({ state }) => state === 'ready' || state === 'down').length;
}

/**
 * Returns the URL of an app, or `null` for a worker without a domain. A domain without a path is preferred. If the app
 * has no domain, the URL contains the host name that Davit assigned.
 */
export function addressOf(
  app: Pick<App, 'domains' | 'port' | 'suggested_host'>,
  instance: Pick<Instance, 'ports' | 'domain'>,
  certificates: readonly Pick<Certificate, 'hosts' | 'status'>[],
): string | null {
  const { ports } = instance;
  const own = openableDomains(app, certificates, instance);
  const domain = own.find(({ path }) => path === null) ?? own[0];
  const host = domain?.host ?? (app.port === null ? null : app.suggested_host);
  // An `http` URL works for every app, because the proxy redirects to HTTPS if the host has a certificate.
  return host && `http://${host}${ports.http === 80 ? '' : `:${ports.http}`}${domain?.path ?? '/'}`;
}
