import type { Database, DatabaseEngineOffer } from '@davit/api';
import { extensionsOf } from './database-draft.ts';

/** Returns the extensions that a database could use but does not have yet. */
export function addable(database: Pick<Database, 'version' | 'extensions'>, offer: DatabaseEngineOffer | undefined) {
  if (offer === undefined) return [];
  return extensionsOf(offer, database.version).filter(({ name }) => !database.extensions.includes(name));
}

/** Returns the database engine versions that are newer than a database's version, newest first. */
export function newerVersions(
  { version }: Pick<Database, 'version'>,
  offer: DatabaseEngineOffer | undefined,
): string[] {
  const all = (offer?.versions ?? []).map((one) => one.version);
  return all.filter((one) => compareVersions(one, version) > 0).toSorted((a, b) => compareVersions(b, a));
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split('.').map(Number));
  for (let at = 0; at < Math.max(left?.length ?? 0, right?.length ?? 0); at += 1) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
