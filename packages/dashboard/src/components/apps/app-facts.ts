import type { App, Instance } from '@davit/api';

/** Counts the replicas of an app that run the live release and are ready for requests. */
export function servingOf({ replicas, live_deployment }: Pick<App, 'replicas' | 'live_deployment'>): number {
  return replicas.filter(({ state, deployment }) => state === 'ready' && deployment === live_deployment).length;
}

/**
 * Returns the URL of an app, or `null` for a worker without a domain. Prefers a domain without a path, and a domain
 * over the assigned host name.
 */
export function addressOf(
  app: Pick<App, 'domains' | 'port' | 'suggested_host'>,
  { ports }: Pick<Instance, 'ports'>,
): string | null {
  // A domain that redirects is not the app's own URL.
  const own = app.domains.filter(({ redirect_to }) => redirect_to === null);
  const domain = own.find(({ path }) => path === null) ?? own[0];
  const host = domain?.host ?? (app.port === null ? null : app.suggested_host);
  // An `http` URL works for every app, because the proxy redirects to HTTPS if the host has a certificate.
  return host && `http://${host}${ports.http === 80 ? '' : `:${ports.http}`}${domain?.path ?? '/'}`;
}
