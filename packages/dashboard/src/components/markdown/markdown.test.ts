import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markdownTree, type Node } from './markdown.ts';

/** Returns a compact form of a tree: a tag with its children, or a text. */
type Short = string | [string, ...Short[]];

function short(nodes: readonly Node[]): Short[] {
  return nodes.map((node) => (typeof node === 'string' ? node : [node.tag, ...short(node.children)]));
}

const read = (markdown: string) => short(markdownTree(markdown));

describe('README rendering', () => {
  it('renders headings, paragraphs, lists, quotes, code and tables', () => {
    assert.deepEqual(
      read(
        '# Umami\n\nCounts visits,\nwithout cookies.\n\n- one\n- two\n  - deeper\n\n1. first\n\n> mind this\n\n```sh\n# no heading\n```\n\n| a | b |\n|---|---|\n| 1 | |\n',
      ),
      [
        ['h1', 'Umami'],
        ['p', 'Counts visits,', ' ', 'without cookies.'],
        ['ul', ['li', 'one'], ['li', 'two', ['ul', ['li', 'deeper']]]],
        ['ol', ['li', 'first']],
        ['blockquote', ['p', 'mind this']],
        ['pre', '# no heading'],
        ['table', ['thead', ['tr', ['th', 'a'], ['th', 'b']]], ['tbody', ['tr', ['td', '1'], ['td']]]],
      ],
    );
  });

  it('renders inline formatting and keeps escaped characters', () => {
    assert.deepEqual(read('a **b** `c*d*` *e* ~~f~~ \\*g\\* MY_OWN_KEY'), [
      ['p', 'a ', ['strong', 'b'], ' ', ['code', 'c*d*'], ' ', ['em', 'e'], ' ', ['s', 'f'], ' *g* MY_OWN_KEY'],
    ]);
  });

  it('renders task list items with checkboxes', () => {
    assert.deepEqual(read('- [x] one\n- [ ] two'), [['ul', ['li', '☑ one'], ['li', '☐ two']]]);
  });

  it('renders links to web URLs and drops all other links', () => {
    const [first] = markdownTree('[docs](https://example.com/a_(b))');
    assert.deepEqual(typeof first === 'object' && first.children, [
      { tag: 'a', href: 'https://example.com/a_(b)', children: ['docs'] },
    ]);
    assert.deepEqual(read('see https://example.com.'), [['p', 'see ', ['a', 'https://example.com'], '.']]);
    for (const target of ['docs/setup.md', '//example.com', 'mailto:a@example.com', 'HTTP://'])
      assert.deepEqual(read(`[here](${target})`), [['p', 'here']]);
    assert.deepEqual(read('[run](javascript:alert)'), [['p', '[run](javascript:alert)']]);
  });

  it('drops images and shows HTML as plain text', () => {
    assert.deepEqual(read('![badge](https://example.com/x.svg)\n'), []);
    assert.deepEqual(read('[![CI](https://example.com/x.svg)](https://example.com/ci)\n'), []);
    assert.deepEqual(read('<script>alert(1)</script>'), [['p', '<script>alert(1)</script>']]);
    assert.deepEqual(read('a <img src=x onerror=alert(1)>'), [['p', 'a <img src=x onerror=alert(1)>']]);
  });

  it('closes an unterminated code block and parses repeated openings in bounded time', () => {
    assert.deepEqual(read('```\nopen'), [['pre', 'open']]);
    const began = performance.now();
    for (const opened of ['![', '[![', '[a](x ', '[![a](b', '**a', '<http://', '`a', '[(', '> ', '- '])
      markdownTree(opened.repeat(20_000));
    // A parser that searches from each opening to the end of the text would need minutes.
    assert.ok(performance.now() - began < 20_000);
  });
});
