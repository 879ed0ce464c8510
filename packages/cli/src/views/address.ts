import type { App, Instance } from '@davit/api';
import { mainHostOf } from './app.ts';

/** Returns the URL of an app, from its first domain or its default host, or `null` for a worker. */
export function addressOf(app: App, { ports }: Pick<Instance, 'ports'>): string | null {
  const main = mainHostOf(app);
  // The instance itself redirects hosts with a certificate to HTTPS.
  return main && `http://${main.host}${ports.http === 80 ? '' : `:${ports.http}`}${main.path ?? '/'}`;
}
