import { bootCatalog, type TestCatalog } from '@davit/testkit/catalog';

/** Path parameters of the listed template. */
export const LISTED = { owner: 'acme', name: 'notes' } as const;

/** Returns a catalog with one template, for tests that call all operations. */
export async function listedCatalog(): Promise<TestCatalog> {
  const catalog = await bootCatalog();
  catalog.add(LISTED);
  return catalog;
}
