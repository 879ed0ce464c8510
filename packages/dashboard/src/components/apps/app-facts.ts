import type { App, Instance } from '@davit/api';

/** Returns how many replicas of the live release are ready. Replicas of other releases do not count. */
export function servingOf({ replicas, live_deployment }: Pick<App, 'replicas' | 'live_deployment'>): number {
  return replicas.filter(({ state, deployment }) => state === 'ready' && deployment === live_deployment).length;
}

/**
 * Returns the URL of an app, or `null` for a worker. The URL uses the first domain without a path, then a domain with a
 * path, then the assigned host. Redirecting domains are ignored.
 */
export function addressOf(
  app: Pick<App, 'domains' | 'port' | 'suggested_host'>,
  { ports }: Pick<Instance, 'ports'>,
): string | null {
  const own = app.domains.filter(({ redirect_to }) => redirect_to === null);
  const place = own.find(({ path }) => path === null) ?? own[0];
  const host = place?.host ?? (app.port === null ? null : app.suggested_host);
  // The instance redirects hosts with a certificate to HTTPS.
  return host && `http://${host}${ports.http === 80 ? '' : `:${ports.http}`}${place?.path ?? '/'}`;
}
