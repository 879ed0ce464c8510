import { networkName } from '../adapters/engine/names.ts';
import type { NameRecord } from '../adapters/engine/network.ts';
import { readyAddresses } from '../db/tables/instance.ts';
import { namedDatabases } from '../db/tables/managed-database.ts';
import { namedStores } from '../db/tables/managed-store.ts';
import type { AppSpecDeps } from './deps.ts';

/**
 * Returns the host name that other apps of the environment use to reach an app:
 * `<app>.<environment>.<project>.internal`.
 */
export function internalHost(app: { name: string; environment: { slug: string }; project: { slug: string } }): string {
  return `${app.name}.${app.environment.slug}.${app.project.slug}.internal`;
}

/**
 * Returns the host name that apps use to reach a database: `<name>.db.<environment>.<project>.internal`. The label `db`
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
 * Returns the host name that apps use to reach a managed object store: `<name>.store.<environment>.<project>.internal`.
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
  const add = (environmentId: number, name: string, address: string) => {
    const network = networkName(facts.id, environmentId);
    const record = records.get(`${network} ${name}`) ?? { network, name, addresses: [] };
    record.addresses.push(address);
    records.set(`${network} ${name}`, record);
  };
  for (const row of readyAddresses(store)) {
    const { app, environment, project, environment_id, address } = row;
    add(
      environment_id,
      internalHost({ name: app, environment: { slug: environment }, project: { slug: project } }),
      address,
    );
    const short = `cubeship-${project}-${environment}-${app}`;
    if (short.length <= LONGEST_LABEL) add(environment_id, short, address);
  }
  for (const row of namedDatabases(store)) add(row.environment_id, databaseHost(row), row.address ?? '');
  for (const row of namedStores(store)) add(row.environment_id, storeHost(row), row.address ?? '');
  return [...records.values()];
}
