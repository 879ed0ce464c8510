/** Links of the documents lead to existing files, and every image in docs/images is linked. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { it } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const PAGES = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: ROOT, exclude: ['**/node_modules/**'] });

/** Matches `[text](path)`, `![text](path)` and `[name]: path`, but no URLs and no links within the page. */
const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)|^\[[^\]]+\]: (?!https?:)([^#\s]+)/gm;

function linksOf(page: string): string[] {
  // Links in code are examples, so code blocks and code spans are removed.
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/```.*?```|`[^`\n]*`/gs, '');
  return [...text.matchAll(LINK)].map(([, inline, named]) => normalize(join(dirname(page), inline ?? named ?? '')));
}

it('every relative link of a document leads to an existing file', () => {
  const missing = PAGES.flatMap((page) =>
    linksOf(page)
      .filter((target) => !existsSync(join(ROOT, target)))
      .map((target) => `${page}: ${target}`),
  );
  assert.deepEqual(missing, []);
});

it('every image in docs/images is linked from a document', () => {
  const shown = new Set(PAGES.flatMap(linksOf));
  const pictures = globSync('docs/images/**/*.png', { cwd: ROOT });
  assert.deepEqual(
    pictures.filter((picture) => !shown.has(picture)),
    [],
  );
});
