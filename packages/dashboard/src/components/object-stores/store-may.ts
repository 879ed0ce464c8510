/**
 * Returns an object with one entry for each action on an object store. The entry is the reason why the action is not
 * possible now, or `null` if it is possible.
 */
import { canObjectStore, type ObjectStore } from '@davit/api';
import type { Forbidden } from '../things/forbidden.ts';

export type StoreAction = 'use' | 'operate' | 'describe' | 'keys' | 'start' | 'stop' | 'expose' | 'delete';

type Known = Pick<ObjectStore, 'name' | 'kind' | 'status' | 'task'>;

export function whyNotStore(store: Known, { operate, administer }: Forbidden): Record<StoreAction, string | null> {
  const { name, kind, status, task } = store;
  const busy = task === null ? null : `Task ${task} is running on ${name}. Wait until it ends, or cancel it.`;
  const unless = (can: boolean, reason: string) => (can ? null : reason);
  const isState = `${name} is ${status}.`;
  const elsewhere = unless(
    kind === 'managed',
    'This object store is linked: another service runs the store, not Davit.',
  );
  const gone = unless(status !== 'trash', `${name} is in the trash.`);
  return {
    use: unless(canObjectStore.use(status), isState),
    operate,
    describe: administer ?? gone,
    keys:
      administer ?? unless(kind === 'linked', 'Davit generates the keys of this store, so you cannot replace them.'),
    start: operate ?? elsewhere ?? busy ?? unless(canObjectStore.start(status), isState),
    stop: operate ?? elsewhere ?? busy ?? unless(canObjectStore.stop(status), isState),
    expose: administer ?? elsewhere ?? gone ?? busy,
    delete: administer ?? busy,
  };
}
