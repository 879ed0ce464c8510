/**
 * Short names of apps and databases that a template installation created, such as `backend`. Apps that were written for
 * Docker Compose use the service names of their Compose file to connect to each other.
 */
import { isInternalName } from '../adapters/engine/names.ts';
import type { Reader } from '../db/store.ts';
import { appNames } from '../db/tables/app.ts';
import { databaseNames } from '../db/tables/managed-database.ts';
import { installedParts } from '../db/tables/template-install.ts';

/** Returns the short names of an app or a database. Most apps and databases have no short name or only one. */
export type ShortNames = (kind: 'app' | 'database', id: number) => readonly string[];

/** Prefix of additional host names of each app. A short name must not be equal to one of these host names. */
export const CUBESHIP_PREFIX = 'cubeship-';

/** Marks a name that both an app and a database of the environment have. Such a name is not used as a short name. */
const BOTH = 'app and database';

/**
 * Returns the short names of all apps and databases. A short name is the key in the template, in lower case. For an
 * imported Compose file, it is the service name.
 *
 * A short name belongs to one app or database of the environment. It is never the name of another app or database. If
 * two installations have the same key, the earlier installation has the short name.
 */
export function shortNames(db: Reader): ShortNames {
  const parts = [
    ...appNames(db).map((row) => ({ ...row, part: `app ${row.id}` })),
    ...databaseNames(db).map((row) => ({ ...row, part: `database ${row.id}` })),
  ];
  const environments = new Map(parts.map(({ part, environment_id }) => [part, environment_id]));
  const holders = new Map<string, string>();
  for (const { part, environment_id, name } of parts) {
    const place = `${environment_id} ${name}`;
    holders.set(place, holders.has(place) ? BOTH : part);
  }
  const names = new Map<string, string[]>();
  for (const { kind, key, thing_id } of installedParts(db)) {
    const part = `${kind} ${thing_id}`;
    const environment = environments.get(part);
    const name = key.toLowerCase();
    if (environment === undefined || !isInternalName(name) || name.startsWith(CUBESHIP_PREFIX)) continue;
    const place = `${environment} ${name}`;
    if ((holders.get(place) ?? part) !== part) continue;
    holders.set(place, part);
    names.set(part, [...new Set([...(names.get(part) ?? []), name])]);
  }
  return (kind, id) => names.get(`${kind} ${id}`) ?? [];
}
