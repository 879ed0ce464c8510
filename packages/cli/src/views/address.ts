import type { App, Instance } from '@davit/api';
import { mainHostOf } from './app.ts';

/** Where an app answers, by its first domain or the host that it has by itself; null: it is a worker. */
export function addressOf(app: App, { ports }: Pick<Instance, 'ports'>): string | null {
  const main = mainHostOf(app);
  // What has a certificate is sent on to HTTPS by the instance itself.
  return main && `http://${main.host}${ports.http === 80 ? '' : `:${ports.http}`}${main.path ?? '/'}`;
}
