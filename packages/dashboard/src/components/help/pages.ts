import { GROUPS } from 'virtual:help-pages';
import { loadPart } from '../../util/part.ts';

export { GROUPS };

const ALL = GROUPS.flatMap(({ pages }) => pages);

/** Last parts of the addresses of all pages, by their path in `docs/`. */
export const NAMES: ReadonlyMap<string, string> = new Map(ALL.map(({ path, name }) => [path, name]));

/** Texts of the pages that were loaded, as Markdown. */
const texts = new Map<string, string>();

/** Loads the text of a page, if the page exists. */
export async function loadHelp(name: string): Promise<void> {
  const page = ALL.find((one) => one.name === name);
  if (page !== undefined && !texts.has(name)) texts.set(name, (await loadPart(page.load)).default);
}

/** Returns a loaded page, or `null` if there is no such page. */
export function helpPage(name: string): { path: string; title: string; text: string } | null {
  const page = ALL.find((one) => one.name === name);
  const text = texts.get(name);
  return page === undefined || text === undefined ? null : { ...page, text };
}
