import { GROUPS } from 'virtual:help-pages';
import { loadPart } from '../../util/part.ts';

export { GROUPS };

const ALL = GROUPS.flatMap(({ pages }) => pages);

/** Map from the path of a help page in `docs/` to the last part of its URL path. */
export const NAMES: ReadonlyMap<string, string> = new Map(ALL.map(({ path, name }) => [path, name]));

/** Cache of the loaded help pages. The key is the name of the page, and the value is its Markdown text. */
const texts = new Map<string, string>();

/** Loads the text of a help page, if the page exists. */
export async function loadHelp(name: string): Promise<void> {
  const page = ALL.find((one) => one.name === name);
  if (page !== undefined && !texts.has(name)) texts.set(name, (await loadPart(page.load)).default);
}

/** Returns a loaded help page, or `null` if there is no such page. */
export function helpPage(name: string): { path: string; title: string; text: string } | null {
  const page = ALL.find((one) => one.name === name);
  const text = texts.get(name);
  return page === undefined || text === undefined ? null : { ...page, text };
}
