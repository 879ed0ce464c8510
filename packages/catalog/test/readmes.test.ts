/** Renders a hundred READMEs that are slow to render. No README may block the main thread or delay the others. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { Readmes } from '@davit/catalog/pages/readme/readme.ts';

const BYTES = 512 * 1024;
const half = (piece: string) => piece.repeat(Math.floor(BYTES / piece.length));

/** Texts that are slow to parse. Each README repeats one of them up to the maximum size. */
const PIECES = [
  ...['[', '[a](', '![a](', '[a][', '[[]', '](', '*a_', '**a *b ', '*', '_a ', '***a', '~~a', '>', '> - ', '- ', '1. '],
  ...[
    '<',
    '<a',
    '<div>',
    '<b><i>',
    '<p>',
    '<span>',
    '<a href=x>',
    '<a>',
    '<a href=x></a>',
    '<h1>',
    '<h1>a</h1>',
    '<li>',
  ],
  ...[
    '<pre>',
    '<details>',
    '<table><tr><td>',
    '<svg>',
    '<math>',
    '<script>',
    '<style>',
    '<!--',
    '<![CDATA[',
    '<?',
    '<!a',
  ],
  ...[
    '</a></b>',
    '<img src=x>',
    '<svg/onload=alert(1)>',
    '<a b=',
    '<http://a>',
    'http://a ',
    'http://',
    'a@',
    'www.a.',
  ],
  ...[
    '&amp;',
    '&#x',
    '&',
    '\\[',
    '\\',
    '`',
    '`a``',
    '``` ',
    '```\n',
    '~~~\n',
    '    a\n',
    '\t- a\n',
    '- a\n\n',
    '* * *\n',
  ],
  ...[
    '# a\n',
    'a\n=\n',
    'a\n-\n',
    '#',
    '|a',
    '|a|\n',
    '|-',
    'a|b\n-|-\n',
    '[a]: x\n',
    '[a]: <x\n',
    '[^a]: x\n',
    '- [ ] a\n',
  ],
  ...['\0', '\ud800', '\u202e', 'é', '😀', ' ', '\n', '\t', '  \n', '\r', '"', "'", ':', '(', '{{', '$$'],
  ...[
    'a*b*_c_`d`[e](f)<g>&h;',
    'x '.repeat(50),
    '>'.repeat(90),
    '[![a](b)](c) ',
    '<details><summary>',
    '<b>*<i>_',
    '[a]()',
    '![](<',
    '*[',
    '<br>',
    '<hr>',
    '<td>',
  ],
];

/** The quick tier renders only every fourth text, because each can take the full time limit. */
const tried = process.env.DAVIT_TEST_LONG === '1' ? PIECES : PIECES.filter((_, at) => at % 4 === 0);

test('Readmes shows slow READMEs as HTML or text without blocking the thread', async () => {
  await using readmes = new Readmes({ deadlineMs: 100 });
  assert.ok(PIECES.length >= 100, `${PIECES.length}`);
  for (const [at, piece] of tried.entries()) {
    const place = { url: 'https://github.com/acme/a', owner: 'acme', name: `a-${at}`, commit: 'c'.repeat(40) };
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    }, 1);
    const rendered = await readmes.render(half(piece), place);
    clearInterval(count);
    if (rendered.kind === 'html') assert.doesNotMatch(rendered.html, /<script|<style|<svg|\sonload=/);
    else assert.ok(turns > 0, `“${piece}”: the thread that asked went on with other things`);
  }
  const place = { url: 'https://github.com/acme/a', owner: 'acme', name: 'last', commit: 'c'.repeat(40) };
  await using calm = new Readmes();
  assert.equal((await calm.render('# Hi', place)).kind, 'html');
});
