/** The help in the dashboard: sections that errors link to, and a table of contents with all pages for users. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { HELP_PAGE, HELP_SECTIONS } from '@davit/api';
import { helpGroups } from '../packages/dashboard/help-pages.ts';
import { anchorsOf } from '../packages/dashboard/src/components/help/anchors.ts';
import { type Element, markdownTree } from '../packages/dashboard/src/components/markdown/markdown.ts';

const DOCS = join(import.meta.dirname, '../docs');
const FILES = helpGroups().flatMap(({ files }) => files);
const PATHS = new Set(FILES.map(({ path }) => path));

function anchors(path: string): [element: Element, anchor: string][] {
  return [...anchorsOf(markdownTree(readFileSync(join(DOCS, path), 'utf8')))];
}

it('each section of the common problems page has an error code, and vice versa', () => {
  const sections = anchors(`how-to/${HELP_PAGE}.md`).filter(([{ tag }]) => tag === 'h2');
  assert.deepEqual(sections.map(([, anchor]) => anchor).toSorted(), Object.keys(HELP_SECTIONS).toSorted());
});

it('the help contains every user document exactly once', () => {
  const written = globSync(['tutorials/*.md', 'how-to/*.md', 'explanation/*.md', 'glossary.md'], { cwd: DOCS });
  const shown = [...PATHS, 'explanation/limits-of-the-tests.md'];
  assert.deepEqual(written.toSorted(), shown.toSorted());
  assert.equal(new Set(FILES.map(({ name }) => name)).size, FILES.length, 'no two pages have one name');
});

it('links with an anchor between help pages lead to a heading', () => {
  const known = new Map(FILES.map(({ path }) => [path, new Set(anchors(path).map(([, anchor]) => anchor))]));
  const missing = FILES.flatMap(({ path }) => {
    const text = readFileSync(join(DOCS, path), 'utf8');
    return [...text.matchAll(/\]\(([^)\s#:]*)#([^)\s]+)\)/g)].flatMap(([link, file = '', anchor = '']) => {
      const target = file === '' ? path : new URL(file, `http://docs/${path}`).pathname.slice(1);
      const headings = known.get(target);
      return headings === undefined || headings.has(anchor) ? [] : [`${path}: ${link}`];
    });
  });
  assert.deepEqual(missing, []);
});
