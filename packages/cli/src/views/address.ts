import { type App, type Certificate, type Client, coversHost, type Instance } from '@davit/api';
import { mainHostOf } from './app.ts';

/** Ports and certificates of the instance, which determine the URLs of apps. */
export interface Serving extends Pick<Instance, 'ports'> {
  certificates: readonly Pick<Certificate, 'hosts' | 'status'>[];
}

export async function servingOf(client: Client): Promise<Serving> {
  const [{ ports }, certificates] = await Promise.all([client.getInstance(), client.listCertificates()]);
  return { ports, certificates };
}

/**
 * Returns the URL of an app with its first domain. If the app has no domain, uses its default host name. The URL starts
 * with `https` if the instance serves the host over HTTPS. Returns `null` for a worker without a port.
 */
export function addressOf(app: App, { ports, certificates }: Serving): string | null {
  const main = mainHostOf(app);
  if (main === null) return null;
  const { host, path } = main;
  const isSecure =
    app.domains.some((domain) => domain.host === host && domain.https === 'only') ||
    certificates.some(({ hosts, status }) => status === 'active' && hosts.some((name) => coversHost(name, host)));
  const [scheme, port, usual] = isSecure ? ['https', ports.https, 443] : ['http', ports.http, 80];
  return `${scheme}://${host}${port === usual ? '' : `:${port}`}${path ?? '/'}`;
}
