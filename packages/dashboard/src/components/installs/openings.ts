/** Determines which URL the dashboard opens for each app of an installed template. */
import type { App, Instance, Serving, TemplateInstall } from '@davit/api';
import { addressOf } from '../apps/app-facts.ts';

export interface Opening {
  app: string;
  url: string;
  /** Whether the app is running. The page shows the link only for a running app. */
  isUp: boolean;
}

/**
 * Returns at most one URL for each app of an installed template. The URL contains the app's own domain. If the app has
 * no domain, the URL contains the host name that Davit assigned.
 */
export function openingsOf(
  { resources }: Pick<TemplateInstall, 'resources'>,
  apps: readonly App[],
  certificates: Serving['certificates'],
  instance: Pick<Instance, 'ports' | 'domain'>,
): Opening[] {
  const own = new Set(resources.filter(({ kind }) => kind === 'app').map(({ reference }) => reference));
  return apps
    .filter(({ reference }) => own.has(reference))
    .flatMap((app) => {
      const url = addressOf(app, instance, certificates);
      return url === null ? [] : [{ app: app.name, url, isUp: app.status === 'running' }];
    });
}
