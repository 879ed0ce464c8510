import type { NameRecord } from '../engine/network.ts';
import { readyAddresses } from '../store/instance.ts';
import { namedDatabases } from '../store/managed-database.ts';
import { namedStores } from '../store/managed-store.ts';
import type { Base } from './base.ts';

/** `<app>.<environment>.<project>.internal`: where an app's neighbours find it. */
export function internalHost(app: { name: string; environment: { slug: string }; project: { slug: string } }): string {
  return `${app.name}.${app.environment.slug}.${app.project.slug}.internal`;
}

/** `<name>.db.<environment>.<project>.internal`: where apps find a database; one of the same name as an app is another host. */
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

/** `<name>.store.<environment>.<project>.internal`: where apps find an object store that the instance runs. */
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

/** Every internal name with the addresses of the instances that are ready: those still starting or draining have none. */
export function nameRecords({ store }: Pick<Base, 'store'>): NameRecord[] {
  const byName = new Map<string, string[]>();
  for (const row of readyAddresses(store)) {
    const names = [
      internalHost({ name: row.app, environment: { slug: row.environment }, project: { slug: row.project } }),
    ];
    const short = `cubeship-${row.project}-${row.environment}-${row.app}`;
    if (short.length <= LONGEST_LABEL) names.push(short);
    for (const name of names) byName.set(name, [...(byName.get(name) ?? []), row.address]);
  }
  for (const row of namedDatabases(store)) byName.set(databaseHost(row), [row.address ?? '']);
  for (const row of namedStores(store)) byName.set(storeHost(row), [row.address ?? '']);
  return [...byName].map(([name, addresses]) => ({ name, addresses }));
}
