import { bootCatalog, type TestCatalog } from '@davit/testkit/catalog';

/** The template that it lists, as a path names it. */
export const LISTED = { owner: 'acme', name: 'notes' } as const;

/** A catalog with one template, for who asks everything that there is to be asked. */
export async function listedCatalog(): Promise<TestCatalog> {
  const catalog = await bootCatalog();
  catalog.add(LISTED);
  return catalog;
}
