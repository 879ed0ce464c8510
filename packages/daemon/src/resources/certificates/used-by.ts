import { appReference } from '@davit/api';
import { defaultHost, registryHost } from '../../adapters/proxy/routes.ts';
import { listApps } from '../../db/tables/app.ts';
import { allDomains } from '../../db/tables/domain.ts';
import { allAppRoutes } from '../../db/tables/route.ts';
import { routeCertificates, wildcardOver } from '../../routing/host-certificates.ts';
import type { CertificatesDeps } from './deps.ts';

export interface CertificateUser {
  /** User of the certificate: the reference of an app, `instance` or `registry`. */
  name: string;
  /** Id of the app's project. The value is `null` if the instance itself uses the certificate. */
  projectId: number | null;
}

/**
 * Function that returns the users of a certificate. A user is an app, the instance itself (`instance`) or its registry
 * (`registry`).
 */
export type CertificateUse = (id: number) => readonly CertificateUser[];

/**
 * Returns a function that returns the apps and instance hosts that use a certificate. The host names are read only
 * once, so that many calls are fast.
 */
export function certificateUse(core: CertificatesDeps): CertificateUse {
  const presented = new Map<string, number>();
  for (const { name, hosts } of routeCertificates(core)) {
    // The name of a certificate file in HAProxy has the form `c<id>-…`.
    const id = Number(/^c(\d+)-/.exec(name)?.[1]);
    for (const host of hosts) presented.set(host, id);
  }
  const users = new Map<number, CertificateUser[]>();
  for (const [host, user] of servedHosts(core)) {
    const id = presented.get(host) ?? presented.get(wildcardOver(host) ?? '');
    if (id === undefined) continue;
    const known = users.get(id);
    if (known === undefined) users.set(id, [user]);
    else known.push(user);
  }
  return (id) => users.get(id) ?? [];
}

function* servedHosts({ store, facts }: CertificatesDeps): Iterable<[string, CertificateUser]> {
  yield [facts.domain, { name: 'instance', projectId: null }];
  yield [registryHost(facts.domain), { name: 'registry', projectId: null }];
  const apps = new Map(listApps(store, null).map((row) => [row.id, row]));
  const userOf = (appId: number): CertificateUser | undefined => {
    const row = apps.get(appId);
    return row && { name: appReference(row.project, row.environment, row.name), projectId: row.project_id };
  };
  for (const { host, app_id } of allDomains(store)) {
    const user = userOf(app_id);
    if (user) yield [host, user];
  }
  for (const route of allAppRoutes(store)) {
    const user = userOf(route.app_id);
    if (user && route.port === null && route.protocol === 'http') yield [defaultHost(route, facts.domain), user];
  }
}
