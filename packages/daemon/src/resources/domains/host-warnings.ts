/**
 * Warnings about apps with reserved host names. A host name can become reserved after a user has added it to an app. An
 * operator must then remove the host name from the app.
 */
import { projectOfHost, reservedHost } from '../../adapters/proxy/routes.ts';
import { hostsOfProjects } from '../../db/tables/domain.ts';
import { projectBySlug } from '../../db/tables/project.ts';
import type { DomainsDeps } from './deps.ts';

const MOST_NAMED = 3;

/**
 * Returns warnings about apps that use a reserved host. If a host became reserved after a user added it to an app,
 * HAProxy still sends the requests to the app.
 */
export function domainWarnings({ store, facts: { domain } }: Pick<DomainsDeps, 'store' | 'facts'>): string[] {
  const hosts = store.memo('hosts of projects', () => hostsOfProjects(store));
  const ofServer = hosts.filter(({ host }) => reservedHost(host, domain) === 'machine');
  const ofOthers = hosts.filter(({ host, project }) => {
    const owner = projectOfHost(host, domain);
    return owner !== null && owner !== project && projectBySlug(store, owner) !== undefined;
  });
  return [
    ...warning(
      ofServer,
      (names) =>
        `An app uses a host of the dashboard (${names}), so browsers may send cookies of the dashboard to the app. Add another domain to the app, then remove this one.`,
    ),
    ...warning(
      ofOthers,
      (names) =>
        `An app uses a host that is reserved for another project (${names}), so browsers may share cookies between both projects. Add another domain to the app, then remove this one.`,
    ),
  ];
}

function warning(hosts: readonly { host: string }[], sentence: (names: string) => string): string[] {
  if (hosts.length === 0) return [];
  const more = hosts.length > MOST_NAMED ? ` and ${hosts.length - MOST_NAMED} more` : '';
  const named = hosts.slice(0, MOST_NAMED).map(({ host }) => host);
  return [sentence(`${named.join(', ')}${more}`)];
}
