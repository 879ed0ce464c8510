/** Restricts an update to apps, databases and other resources that the installation created and that still exist. */
import type { PlannedResource } from '@davit/api';
import type { Reader } from '../../../db/store.ts';
import { managedStoreByName } from '../../../db/tables/managed-store.ts';
import type { Changes } from '../plan/changes.ts';
import { isHad, isOurs, RESOURCE_NOUNS, type Thing } from './things.ts';

export interface Present {
  changes: Changes;
  /** Apps, databases and other resources that the update skips, because a user has removed or replaced them. */
  left: PlannedResource[];
}

type Part = Omit<Thing, 'kind'>;

export function presentOnly(db: Reader, installId: number, changes: Changes): Present {
  const isApp = ({ reference }: Part) => isOurs(db, installId, { kind: 'app', reference });
  const isDatabase = ({ reference }: Part) => isHad(db, installId, { kind: 'database', reference });
  const isStore = ({ reference }: Part) =>
    isHad(db, installId, { kind: 'object_store', reference }) && managedStoreByName(db, reference) !== undefined;
  const { apps, databases, stores } = changes;
  const gone = (kind: Thing['kind'], parts: readonly Part[], isPresent: (part: Part) => boolean) =>
    parts.filter((part) => !isPresent(part)).map((part) => leftOut(kind, part));
  return {
    changes: {
      databases: { ...databases, change: databases.change.filter(isDatabase) },
      stores: { ...stores, change: stores.change.filter(({ to }) => isStore(to)) },
      apps: { ...apps, change: apps.change.filter(({ to }) => isApp(to)), remove: apps.remove.filter(isApp) },
    },
    left: [
      ...gone('app', [...apps.change.map(({ to }) => to), ...apps.remove], isApp),
      ...gone('database', databases.change, isDatabase),
      ...gone(
        'object_store',
        stores.change.map(({ to }) => to),
        isStore,
      ),
    ],
  };
}

function leftOut(kind: Thing['kind'], { key, name, reference }: Part): PlannedResource {
  const detail = `The ${RESOURCE_NOUNS[kind]} does not exist anymore, and an update does not create it again.`;
  return { kind, key, name, reference, action: 'keep', detail };
}
