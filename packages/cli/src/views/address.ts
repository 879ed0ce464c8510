import { type App, type Client, hostUrl, type Serving } from '@davit/api';
import { mainHostOf } from './app.ts';

export async function servingOf(client: Client): Promise<Serving> {
  const [{ ports }, certificates] = await Promise.all([client.getInstance(), client.listCertificates()]);
  return { ports, certificates };
}

/**
 * Returns the URL of an app with its first domain. If the app has no domain, uses its default host name. The URL starts
 * with `https` if the instance serves the host over HTTPS. Returns `null` for a worker without a port.
 */
export function addressOf(app: App, serving: Serving): string | null {
  const main = mainHostOf(app);
  return main && hostUrl(main, serving);
}
