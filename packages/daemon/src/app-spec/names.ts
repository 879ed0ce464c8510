import { networkName } from '../adapters/engine/names.ts';
import type { NameRecord } from '../adapters/engine/network.ts';
import { readyAddresses } from '../db/tables/instance.ts';
import { namedDatabases } from '../db/tables/managed-database.ts';
import { namedStores } from '../db/tables/managed-store.ts';
import type { AppSpecDeps } from './deps.ts';
import { CUBESHIP_PREFIX, shortNames } from './short-names.ts';

/**
 * Returns the host name by which other apps of the environment reach an app: `<app>.<environment>.<project>.internal`.
 */
export function internalHost(app: { name: string; environment: { slug: string }; project: { slug: string } }): string {
  return `${app.name}.${app.environment.slug}.${app.project.slug}.internal`;
}

/**
 * Returns the host name by which apps reach a database: `<name>.db.<environment>.<project>.internal`. The label `db`
 * prevents a conflict with an app of the same name.
 */
export function databaseHost({
  name,
  environment,
  project,
}: {
  name: string;
  environment: string;
  project: string;
}): string {
  return `${name}.db.${environment}.${project}.internal`;
}

/**
 * Returns the host name by which apps reach a managed object store: `<name>.store.<environment>.<project>.internal`.
 */
export function storeHost({
  name,
  environment,
  project,
}: {
  name: string;
  environment: string;
  project: string;
}): string {
  return `${name}.store.${environment}.${project}.internal`;
}

const LONGEST_LABEL = 63;

/**
 * Returns the internal DNS records of all apps, databases and object stores. Replicas that are starting or draining are
 * omitted. Each host name resolves only in its own environment.
 */
export function nameRecords({ store, facts }: Pick<AppSpecDeps, 'store' | 'facts'>): NameRecord[] {
  const records = new Map<string, NameRecord>();
  const add = (environmentId: number, names: readonly string[], address: string) => {
    const network = networkName(facts.id, environmentId);
    for (const name of names) {
      const record = records.get(`${network} ${name}`) ?? { network, name, addresses: [] };
      record.addresses.push(address);
      records.set(`${network} ${name}`, record);
    }
  };
  const shortNamesOf = shortNames(store);
  for (const row of readyAddresses(store)) {
    const { app: name, environment, project, environment_id, address } = row;
    const host = internalHost({ name, environment: { slug: environment }, project: { slug: project } });
    const cubeship = `${CUBESHIP_PREFIX}${project}-${environment}-${name}`;
    add(environment_id, [host, ...shortNamesOf('app', row.app_id)], address);
    if (cubeship.length <= LONGEST_LABEL) add(environment_id, [cubeship], address);
  }
  for (const row of namedDatabases(store))
    add(row.environment_id, [databaseHost(row), ...shortNamesOf('database', row.id)], row.address ?? '');
  for (const row of namedStores(store)) add(row.environment_id, [storeHost(row)], row.address ?? '');
  return [...records.values()];
}
