/** Determines which URL the dashboard opens for each app of an installed template. */
import type { App, Certificate, Instance, TemplateInstall } from '@davit/api';
import { addressesOf, isCoveredBy, openableDomains } from '../app/addresses.ts';

export interface Opening {
  app: string;
  url: string;
  /** Whether the app is running. The page shows the link only for a running app. */
  isUp: boolean;
}

type Certificates = readonly Pick<Certificate, 'hosts' | 'status'>[];

/**
 * Returns at most one URL for each app of an installed template. The URL contains the app's own domain. If the app has
 * no domain, the URL contains the host name that Davit assigned.
 */
export function openingsOf(
  { resources }: Pick<TemplateInstall, 'resources'>,
  apps: readonly App[],
  certificates: Certificates,
  instance: Pick<Instance, 'ports' | 'domain'>,
): Opening[] {
  const own = new Set(resources.filter(({ kind }) => kind === 'app').map(({ reference }) => reference));
  return apps
    .filter(({ reference }) => own.has(reference))
    .flatMap((app) => {
      const url = addressOf(app, certificates, instance);
      return url === null ? [] : [{ app: app.name, url, isUp: app.status === 'running' }];
    });
}

function addressOf(app: App, certificates: Certificates, instance: Pick<Instance, 'ports' | 'domain'>): string | null {
  const [domain] = openableDomains(app, certificates, instance);
  // Put the app's own domain into `suggested_host`, because `addressesOf` uses this field as the host of the URL.
  const host = domain?.host ?? app.suggested_host;
  const served = { ...app, suggested_host: host };
  const isSecure = isCoveredBy(certificates, host);
  const secured = isSecure || domain?.https === 'only' ? [{ hosts: [host], status: 'active' as const }] : [];
  return addressesOf(served, [], secured, instance).find(({ opens }) => opens)?.text ?? null;
}
