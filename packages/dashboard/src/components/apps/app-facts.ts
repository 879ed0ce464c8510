import { type App, hostUrl, type Instance, type Serving } from '@davit/api';
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
  certificates: Serving['certificates'],
): string | null {
  const own = openableDomains(app, certificates, instance);
  const domain = own.find(({ path }) => path === null) ?? own[0];
  const host = domain ?? (app.port === null ? null : { host: app.suggested_host });
  return host && hostUrl(host, { ports: instance.ports, certificates });
}
