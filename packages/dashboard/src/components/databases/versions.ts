/** What a database can be given yet: extensions, and newer versions. */
import type { Database, DatabaseEngineOffer } from '@davit/api';
import { extensionsOf } from './database-draft.ts';

/** The extensions that can be added still. */
export function addable(database: Pick<Database, 'version' | 'extensions'>, offer: DatabaseEngineOffer | undefined) {
  if (offer === undefined) return [];
  return extensionsOf(offer, database.version).filter(({ name }) => !database.extensions.includes(name));
}

/** The versions that a database can be brought to: those on offer that are newer than its own, the newest first. */
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
