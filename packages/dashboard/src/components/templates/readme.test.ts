import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blocksOf, inlineOf } from './readme.ts';

const text = (words: string) => ({ kind: 'text', text: words });

describe('a README', () => {
  it('is headings, paragraphs, lists, quotes, code and tables', () => {
    const blocks = blocksOf(
      '# Umami\n\nCounts visits,\nwithout cookies.\n\n- one\n- two\n  goes on\n\n1. first\n\n> mind this\n\n```sh\n# no heading\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n',
    );
    assert.deepEqual(blocks, [
      { kind: 'heading', level: 1, inline: [text('Umami')] },
      { kind: 'paragraph', inline: [text('Counts visits, without cookies.')] },
      { kind: 'list', ordered: false, items: [[text('one')], [text('two goes on')]] },
      { kind: 'list', ordered: true, items: [[text('first')]] },
      { kind: 'quote', inline: [text('mind this')] },
      { kind: 'code', text: '# no heading' },
      {
        kind: 'table',
        rows: [
          [[text('a')], [text('b')]],
          [[text('1')], [text('2')]],
        ],
      },
    ]);
  });

  it('marks words, and keeps what is escaped', () => {
    assert.deepEqual(inlineOf('a **b** `c*d*` *e* \\*f\\*'), [
      text('a '),
      { kind: 'strong', text: 'b' },
      text(' '),
      { kind: 'code', text: 'c*d*' },
      text(' '),
      { kind: 'emphasis', text: 'e' },
      text(' *f*'),
    ]);
  });

  it('takes no name with underscores for emphasis', () => {
    assert.deepEqual(inlineOf('_set_ MY_OWN_KEY'), [{ kind: 'emphasis', text: 'set' }, text(' MY_OWN_KEY')]);
  });

  it('leads to pages of the web and to nothing else', () => {
    assert.deepEqual(inlineOf('[docs](https://example.com/a_(b)) https://example.com.'), [
      { kind: 'link', text: 'docs', href: 'https://example.com/a_(b)' },
      text(' '),
      { kind: 'link', text: 'https://example.com', href: 'https://example.com' },
      text('.'),
    ]);
    assert.deepEqual(inlineOf('[run](javascript:alert)'), [text('run')]);
    assert.deepEqual(inlineOf('[here](docs/setup.md)'), [text('here')]);
  });

  it('shows no picture, and HTML as the text that it is', () => {
    assert.deepEqual(blocksOf('![badge](https://example.com/x.svg)\n'), []);
    assert.deepEqual(blocksOf('[![CI](https://example.com/x.svg)](https://example.com/ci)\n'), []);
    assert.deepEqual(inlineOf('<script>alert(1)</script>'), [text('<script>alert(1)</script>')]);
  });

  it('ends whatever is not closed, and does not hang on long lines', () => {
    assert.deepEqual(blocksOf('```\nopen'), [{ kind: 'code', text: 'open' }]);
    const long = '[('.repeat(20_000);
    assert.equal(inlineOf(long).length, 1);
  });

  it('is read in a moment when it never closes what it opens', () => {
    const began = performance.now();
    for (const opened of ['![', '[![', '[a](x ', '[![a](b', '**a', '<http://', '`a']) blocksOf(opened.repeat(20_000));
    // Read from each opening to the end of the text it is minutes.
    assert.ok(performance.now() - began < 20_000);
  });
});
