import { paths } from '../../paths.ts';
import { linkToWeb } from '../markdown/markdown.ts';

const ROOT = 'http://docs.invalid/';

/**
 * Returns the URL for a link on the help page `from`. Returns `null` if the target of the link is not a help page.
 * @param names map from the path of a help page in `docs/` to the last part of its URL path
 */
export function helpLink(target: string, from: string, names: ReadonlyMap<string, string>): string | null {
  if (/^[a-z]+:/i.test(target) || !URL.canParse(target, ROOT + from)) return linkToWeb(target);
  const { pathname, hash } = new URL(target, ROOT + from);
  const name = names.get(pathname.slice(1));
  return name === undefined ? null : `${paths.helpPage({ page: name })}${hash}`;
}
