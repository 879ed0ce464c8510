import type { App, Instance } from '@davit/api';

/** How many instances of the live release serve; those of a release that goes or comes do not count. */
export function servingOf({ instances, live_deployment }: Pick<App, 'instances' | 'live_deployment'>): number {
  return instances.filter(({ state, deployment }) => state === 'ready' && deployment === live_deployment).length;
}

/**
 * Where people find an app: its first domain, one for itself before one with a path, else the host that it has by
 * itself; null: it is a worker. A domain that sends its visitors on is not it.
 */
export function addressOf(
  app: Pick<App, 'domains' | 'port' | 'suggested_host'>,
  { ports }: Pick<Instance, 'ports'>,
): string | null {
  const own = app.domains.filter(({ redirect_to }) => redirect_to === null);
  const place = own.find(({ path }) => path === null) ?? own[0];
  const host = place?.host ?? (app.port === null ? null : app.suggested_host);
  // What has a certificate is sent on to HTTPS by the instance itself.
  return host && `http://${host}${ports.http === 80 ? '' : `:${ports.http}`}${place?.path ?? '/'}`;
}
