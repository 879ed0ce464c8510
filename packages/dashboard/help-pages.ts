/**
 * Vite plugin that adds the user documentation to the dashboard. The module `virtual:help-pages` contains the table of
 * contents. This module loads the text of each help page separately.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));
const MODULE = 'virtual:help-pages';

/**
 * Matches Markdown links to the documentation pages that the dashboard shows. Links to reference pages and decision
 * records do not match.
 */
const SHOWN = /\]\(((?:(?:tutorials|how-to|explanation)\/)?([a-z-]+)\.md)\)/g;
/** Documentation pages for developers of Davit. The dashboard does not show these pages. */
const LEFT_OUT: ReadonlySet<string> = new Set(['benchmarks.md', 'explanation/limits-of-the-tests.md']);

export interface HelpFile {
  /** Last part of the URL path of a help page. */
  name: string;
  title: string;
  /** Path of the help page in `docs/`. */
  path: string;
}

export interface HelpGroup {
  title: string;
  files: HelpFile[];
}

/** Returns the help pages, grouped and ordered as in `docs/README.md`. */
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
