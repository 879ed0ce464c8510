/** What the documents lead to is there, and no picture is kept that none of them shows. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { it } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const PAGES = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md'], { cwd: ROOT, exclude: ['**/node_modules/**'] });

/** `[words](place)`, `![words](place)` and `[name]: place`, without those that lead out of the repository. */
const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)|^\[[^\]]+\]: (?!https?:)([^#\s]+)/gm;

function linksOf(page: string): string[] {
  // What stands between back-ticks is an example.
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
