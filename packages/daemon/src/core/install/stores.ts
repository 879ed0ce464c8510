/** The object stores of an installation, and those that it was told to use. */
import type { Answers } from '../../installs/plan/answers.ts';
import type { StoreValues } from '../../installs/plan/references.ts';
import { own, type Wanted } from '../../installs/plan/wanted.ts';
import { storeByName } from '../../store/object-store.ts';
import { TaskFailed } from '../../tasks/kind.ts';
import type { Core } from '../core.ts';
import type { Build } from './build.ts';
import type { Removal } from './place.ts';
import type { DataEnd } from './remove-apps.ts';
import { forgetThing, madeThings } from './resources.ts';

/** What others refer to of them, as far as they are there: those of the template, and those that an input names. */
export function storeValues({ store }: Core, wanted: Wanted, answers: Answers): Record<string, StoreValues> {
  const attached = wanted.apps.flatMap(({ attach }) => attach).filter(({ kind }) => kind === 'store');
  const keys = new Set([...wanted.stores, ...attached].map(({ key }) => key));
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const row = storeByName(store, storeNamed(wanted, answers, key));
      return row === undefined ? [] : [[key, { bucket: bucketOf(wanted, key), endpoint: row.endpoint }]];
    }),
  );
}

/** What a store is called that a template refers to by a key: its own, or the answer to an input. */
export function storeNamed({ stores }: Wanted, answers: Answers, key: string): string {
  return stores.find((store) => store.key === key)?.name ?? own(answers, key) ?? '';
}

/** The first that is declared, else the first that somebody attaches. */
function bucketOf({ stores, apps }: Wanted, key: string): string {
  const declared = stores.find((store) => store.key === key)?.buckets[0];
  const attached = apps.flatMap(({ attach }) => attach).find((one) => one.kind === 'store' && one.key === key);
  return declared ?? attached?.bucket ?? '';
}

/** @throws TaskFailed: the instance does not run stores of its own yet */
export async function makeStores({ wanted: { stores } }: Build, _signal: AbortSignal): Promise<void> {
  if (stores.length > 0)
    throw new TaskFailed('Object stores of templates cannot be made here: link one and choose it.');
}

export async function removeStores(removal: Removal, end: DataEnd): Promise<void> {
  for (const row of madeThings(removal.core, removal.installId, 'store'))
    await removeStore(removal, row.reference, end);
}

export async function removeStore({ core, installId }: Removal, reference: string, _end: DataEnd): Promise<void> {
  for (const row of madeThings(core, installId, 'store')) if (row.reference === reference) forgetThing(core, row);
}
