/**
 * Vite plugin that adds the user documentation. The module `virtual:help-pages` contains the table of contents, and
 * loads each page separately.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));
const MODULE = 'virtual:help-pages';

/**
 * Matches links to the pages that the dashboard shows. Does not match links to reference pages and decision records.
 */
const SHOWN = /\]\(((?:(?:tutorials|how-to|explanation)\/)?([a-z-]+)\.md)\)/g;
/** Pages for developers of Davit, which the dashboard does not show. */
const LEFT_OUT: ReadonlySet<string> = new Set(['benchmarks.md', 'explanation/limits-of-the-tests.md']);

export interface HelpFile {
  /** Last part of the page's URL path. */
  name: string;
  title: string;
  /** Path in `docs/`. */
  path: string;
}

export interface HelpGroup {
  title: string;
  files: HelpFile[];
}

/** Returns the help pages in the order of `docs/README.md`, grouped under the headings of that file. */
export function helpGroups(): HelpGroup[] {
  const groups: HelpGroup[] = [{ title: 'Terms', files: [] }];
  for (const line of readFileSync(join(DOCS, 'README.md'), 'utf8').split('\n')) {
    const title = /^##+ (.+)/.exec(line)?.[1];
    if (title !== undefined) groups.push({ title, files: [] });
    for (const [, path = '', name = ''] of line.matchAll(SHOWN)) {
      if (!LEFT_OUT.has(path)) groups.at(-1)?.files.push({ name, title: titleOf(path), path });
    }
  }
  return groups.filter(({ files }) => files.length > 0);
}

function titleOf(path: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(DOCS, path), 'utf8')) ?? [];
  if (title === undefined) throw new Error(`docs/${path} has no title`);
  return title;
}

export const helpPages: Plugin = {
  name: 'help-pages',
  resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
  load: (id) => (id === `\0${MODULE}` ? `export const GROUPS = [${helpGroups().map(groupCode).join()}];` : undefined),
};

function groupCode({ title, files }: HelpGroup): string {
  const pages = files.map(({ path, ...page }) => {
    const load = `() => import(${JSON.stringify(`${join(DOCS, path)}?raw`)})`;
    return `{...${JSON.stringify({ ...page, path })}, load: ${load}}`;
  });
  return `{title: ${JSON.stringify(title)}, pages: [${pages.join()}]}`;
}
