import type { App, Instance } from '@davit/api';
import { mainHostOf } from './app.ts';

/**
 * Returns the URL of an app with its first domain, or else its default host name. Returns `null` for a worker without a
 * port.
 */
export function addressOf(app: App, { ports }: Pick<Instance, 'ports'>): string | null {
  const main = mainHostOf(app);
  // The URL always begins with `http`, because the instance redirects to HTTPS if the host has a certificate.
  return main && `http://${main.host}${ports.http === 80 ? '' : `:${ports.http}`}${main.path ?? '/'}`;
}
