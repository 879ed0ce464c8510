/** The fixture table of the shell blocks contains only pages, blocks and lines that exist in the documents. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOC_FIXTURES } from './support/doc-fixtures.ts';
import { commandsOf, docPages, shellBlocks, withoutLines } from './support/doc-pages.ts';

const PAGES = docPages();

test('each document with shell blocks has a fixture, and each fixture a document', () => {
  assert.deepEqual(Object.keys(DOC_FIXTURES).sort(), PAGES.map(({ path }) => path).sort());
});

for (const { path, blocks } of PAGES) {
  test(`the fixture of ${path} names only blocks and lines of the document`, () => {
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

test('at least three quarters of the shell blocks run', () => {
  const all = PAGES.flatMap(({ path, blocks }) => blocks.map((block) => ({ path, first: commandsOf(block)[0] ?? '' })));
  const running = all.filter(({ path, first }) => DOC_FIXTURES[path]?.blocks?.[first] === undefined);
  assert.ok(running.length / all.length > 0.75, `${running.length} of ${all.length} blocks run`);
});

test('shellBlocks returns heading, line and text of a block without list indentation', () => {
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
