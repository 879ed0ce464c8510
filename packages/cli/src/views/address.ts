import type { App, Instance } from '@davit/api';
import { mainHostOf } from './app.ts';

/**
 * Returns the URL of an app with its first domain, or else its default host name. Returns `null` for a worker without a
 * port.
 */
export function addressOf(app: App, { ports }: Pick<Instance, 'ports'>): string | null {
  const main = mainHostOf(app);
  // The URL begins with `http`. If the host has a certificate, the instance redirects to HTTPS.
  return main && `http://${main.host}${ports.http === 80 ? '' : `:${ports.http}`}${main.path ?? '/'}`;
}
