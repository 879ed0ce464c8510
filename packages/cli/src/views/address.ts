import type { App, Instance } from '@davit/api';
import { mainHostOf } from './app.ts';

/**
 * Returns the URL of an app: of its first domain, or of its default host. Returns `null` for a worker without a port.
 */
export function addressOf(app: App, { ports }: Pick<Instance, 'ports'>): string | null {
  const main = mainHostOf(app);
  // The scheme is `http`. The instance redirects hosts with a certificate to HTTPS.
  return main && `http://${main.host}${ports.http === 80 ? '' : `:${ports.http}`}${main.path ?? '/'}`;
}
