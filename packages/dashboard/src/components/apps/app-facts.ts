import type { App, Instance } from '@davit/api';

/** Returns the number of ready replicas that run the live release of an app. */
export function servingOf({ replicas, live_deployment }: Pick<App, 'replicas' | 'live_deployment'>): number {
  return replicas.filter(({ state, deployment }) => state === 'ready' && deployment === live_deployment).length;
}

/**
 * Returns the URL of an app, or `null` for a worker without a port. The URL uses the first domain without a path, else
 * the first domain, else the assigned host. Domains that redirect are ignored.
 */
export function addressOf(
  app: Pick<App, 'domains' | 'port' | 'suggested_host'>,
  { ports }: Pick<Instance, 'ports'>,
): string | null {
  const own = app.domains.filter(({ redirect_to }) => redirect_to === null);
  const place = own.find(({ path }) => path === null) ?? own[0];
  const host = place?.host ?? (app.port === null ? null : app.suggested_host);
  // The `http` URL works for all hosts, because the proxy redirects hosts with a certificate to HTTPS.
  return host && `http://${host}${ports.http === 80 ? '' : `:${ports.http}`}${place?.path ?? '/'}`;
}
