import { paths } from '../../paths.ts';
import { linkToWeb } from '../markdown/markdown.ts';

const ROOT = 'http://docs.invalid/';

/**
 * Returns the address of a link in a page of the help. Returns `null` if the link leads to a file that the help does not
 * contain, such as a reference page.
 * @param from path of the page in `docs/`
 * @param names last parts of the addresses of all pages, by their path in `docs/`
 */
export function helpLink(target: string, from: string, names: ReadonlyMap<string, string>): string | null {
  if (/^[a-z]+:/i.test(target) || !URL.canParse(target, ROOT + from)) return linkToWeb(target);
  const { pathname, hash } = new URL(target, ROOT + from);
  const name = names.get(pathname.slice(1));
  return name === undefined ? null : `${paths.helpPage({ page: name })}${hash}`;
}
