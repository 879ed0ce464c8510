/** What of an update concerns what is still there, and is still what the installation made. */
import type { PlannedResource } from '@davit/api';
import type { Changes } from '../../installs/plan/changes.ts';
import type { Reader } from '../../store/store.ts';
import { isOurs } from './things.ts';

export interface Present {
  changes: Changes;
  /** In words: what is left out because somebody has removed it, or put something of his own in its place. */
  left: PlannedResource[];
}

export function presentOnly(db: Reader, installId: number, changes: Changes): Present {
  const isPresent = ({ reference }: { reference: string }) => isOurs(db, installId, { kind: 'app', reference });
  const { apps } = changes;
  const change = apps.change.filter(({ to }) => isPresent(to));
  const remove = apps.remove.filter(isPresent);
  const gone = [...apps.change.map(({ to }) => to), ...apps.remove].filter((app) => !isPresent(app));
  return {
    changes: { ...changes, apps: { ...apps, change, remove } },
    left: gone.map(({ key, name, reference }) => {
      const detail = 'what was installed is not there any more, and stays away';
      return { kind: 'app', key, name, reference, action: 'keep', detail };
    }),
  };
}
