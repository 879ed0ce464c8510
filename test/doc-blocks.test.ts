/** The table of the shell blocks names only pages, blocks and lines that exist. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOC_FIXTURES } from './support/doc-fixtures.ts';
import { commandsOf, docPages, shellBlocks, withoutLines } from './support/doc-pages.ts';

const PAGES = docPages();

test('each page with shell blocks has an entry, and each entry a page', () => {
  assert.deepEqual(Object.keys(DOC_FIXTURES).sort(), PAGES.map(({ path }) => path).sort());
});

for (const { path, blocks } of PAGES) {
  test(`the entry of ${path} names blocks and lines that the page has`, () => {
    const { before, after, answers, blocks: whole, lines } = DOC_FIXTURES[path] ?? {};
    const firsts = blocks.map((block) => commandsOf(block)[0] ?? '');
    const named = [before, after, answers, whole].flatMap((entries) => Object.keys(entries ?? {}));
    assert.deepEqual(
      named.filter((command) => firsts.filter((first) => first === command).length !== 1),
      [],
    );
    const commands = new Set(blocks.flatMap(commandsOf));
    assert.deepEqual(
      Object.keys(lines ?? {}).filter((command) => !commands.has(command)),
      [],
    );
  });
}

test('most blocks run', () => {
  const all = PAGES.flatMap(({ path, blocks }) => blocks.map((block) => ({ path, first: commandsOf(block)[0] ?? '' })));
  const running = all.filter(({ path, first }) => DOC_FIXTURES[path]?.blocks?.[first] === undefined);
  assert.ok(running.length / all.length > 0.75, `${running.length} of ${all.length} blocks run`);
});

test('a block has its page’s heading, its first line, and no indentation of a list', () => {
  const page = [
    '# Page',
    '',
    '1. Run:',
    '',
    '   ```sh',
    '   davit up \\',
    '     --json',
    '   ls   # lists',
    '   ```',
    '',
  ];
  const [block, ...others] = shellBlocks([...page, '```', 'output', '```'].join('\n'));
  assert.deepEqual(block, { heading: 'Page', line: 6, text: 'davit up \\\n  --json\nls   # lists' });
  assert.deepEqual(others, []);
  assert.ok(block !== undefined);
  assert.equal(withoutLines(block, new Set(['davit up \\'])), 'ls   # lists');
  assert.equal(withoutLines(block, new Set(['ls'])), 'davit up \\\n  --json');
});
