/**
 * Ids of the databases and object stores that the user chose. Names are not enough, because a new database or object
 * store can have the name of a deleted one.
 */
import { type FieldProblem, type InstallProblem, refusedField } from '@davit/api';
import type { Reader } from '../../../db/store.ts';
import { databaseByReference } from '../../../db/tables/managed-database.ts';
import { storeByName } from '../../../db/tables/object-store.ts';
import type { Answers } from '../plan/answers.ts';
import { own } from '../plan/wanted.ts';
import type { InstalledRelease, Numbers } from './record.ts';

type Chosen = Pick<InstalledRelease, 'manifest' | 'answers' | 'stores'>;

/** Returns a map from the key of a template input to the id of the chosen object store. */
export function storeNumbers(
  db: Reader,
  { inputs }: InstalledRelease['manifest'],
  answers: Answers,
): Record<string, number> {
  const named = inputs.filter(({ type }) => type === 'store');
  return numbersOf(named.map(({ key }) => [key, storeByName(db, own(answers, key) ?? '')?.id]));
}

/**
 * Returns a map from a database's key in the template to the id of an existing database. The installation uses the
 * existing database instead of a new one.
 */
export function databaseNumbers(db: Reader, adopt: Readonly<Record<string, string>>): Record<string, number> {
  return numbersOf(Object.entries(adopt).map(([key, reference]) => [key, databaseByReference(db, reference)?.id]));
}

function numbersOf(entries: (readonly [string, number | undefined])[]): Record<string, number> {
  return Object.fromEntries(entries.flatMap(([key, id]) => (id === undefined ? [] : [[key, id] as const])));
}

/**
 * Returns a map from input key to object store id for a new release. If the user selected no new object store for an
 * input, the map contains the current one.
 */
export function storesCarried(
  db: Reader,
  { stores = {} }: Pick<InstalledRelease, 'stores'>,
  { manifest, answers }: Pick<InstalledRelease, 'manifest' | 'answers'>,
  given: Answers,
): Numbers {
  const now = Object.entries(storeNumbers(db, manifest, answers));
  return Object.fromEntries(
    now.map(([key, id]) => [key, Object.hasOwn(given, key) ? id : (own(stores, key) ?? id)] as const),
  );
}

/**
 * Returns a problem for each template input whose selected object store was deleted and replaced by another store with
 * the same name.
 */
export function replacedStores(db: Reader, { manifest, answers, stores = {} }: Chosen): InstallProblem[] {
  const replaced = Object.entries(storeNumbers(db, manifest, answers)).filter(([key, id]) => own(stores, key) !== id);
  return replaced.flatMap(([key]) => {
    if (own(stores, key) === undefined) return [];
    const message = `The object store ${own(answers, key)} was deleted, and another object store now has its name. Choose an object store again.`;
    return [{ field: `inputs.${key}`, code: 'mismatch', message }];
  });
}

/** Converts an error in the plan of a template installation to a field error of an API response. */
export function fieldOf({ field, code, message }: InstallProblem): FieldProblem {
  return { path: field, code, message };
}

/**
 * Checks that no selected object store was deleted and replaced by a new store with the same name.
 * @throws DavitError conflict
 */
export function demandSameStores(db: Reader, release: Chosen): void {
  const [problem] = replacedStores(db, release);
  if (problem !== undefined) throw refusedField(fieldOf(problem), { code: 'conflict' });
}
