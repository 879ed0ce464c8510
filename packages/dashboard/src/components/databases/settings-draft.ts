/** The settings of a database as they are typed, and what is sent of them. */
import type { Database, DatabaseEngineOffer, DatabasePatch } from '@davit/api';
import { readBytes, writeBytes } from '../app-settings/bytes.ts';
import { extensionsOf, limitsOf } from './database-draft.ts';

export interface SettingsDraft {
  description: string;
  cpu: string;
  memory: string;
}

type Known = Pick<Database, 'description' | 'limits'>;

export function settingsOf({ description, limits }: Known): SettingsDraft {
  return {
    description: description ?? '',
    cpu: limits.cpu === null ? '' : String(limits.cpu),
    memory: limits.memory_bytes === null ? '' : writeBytes(limits.memory_bytes),
  };
}

/** What was typed over what the database has now; null: nothing of it is changed. */
export function settingsPatch(database: Known, draft: Partial<SettingsDraft>): DatabasePatch | null {
  const now = settingsOf(database);
  const isChanged = (name: keyof SettingsDraft) => draft[name] !== undefined && draft[name].trim() !== now[name];
  const limits = limitsOf({ ...now, ...draft });
  const patch: DatabasePatch = {
    ...(isChanged('description') && { description: draft.description?.trim() || null }),
    ...((isChanged('cpu') || isChanged('memory')) && {
      limits: {
        ...(isChanged('cpu') && { cpu: limits.cpu }),
        ...(isChanged('memory') && { memory_bytes: limits.memory_bytes }),
      },
    }),
  };
  return Object.keys(patch).length === 0 ? null : patch;
}

/** What is wrong with what was typed, in a sentence; null: it can be sent. */
export function settingsProblem({ memory = '' }: Partial<SettingsDraft>): string | null {
  return memory.trim() !== '' && readBytes(memory) === null ? 'Write the memory as «512 MiB» or «1.5 GiB».' : null;
}

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
