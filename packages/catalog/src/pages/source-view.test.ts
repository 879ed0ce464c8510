import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Diagnostic } from '@davit/template';
import { sampleSite } from '../../test/support/sample-pages.ts';
import { sourceView } from './source-view.ts';
import { yamlLine } from './yaml-line.ts';

const SITE = sampleSite();

function said(line: number | undefined, message: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'advice.no-health',
    message,
    path: [],
    ...(line !== undefined && { line, column: 3 }),
  };
}

async function view(source: string, diagnostics: Diagnostic[] = []): Promise<string> {
  return String(await sourceView(SITE, source, diagnostics));
}

describe('sourceView', () => {
  it('gives every line an anchor for all kinds of line breaks', async () => {
    const page = await view('a: 1\r\nb: 2\rc: 3\n');
    assert.deepEqual(
      [...page.matchAll(/id="L(\d+)"/g)].map(([, line]) => line),
      ['1', '2', '3'],
    );
  });

  it('shows each diagnostic directly after its line, in line order', async () => {
    const page = await view('a\nb\nc\n', [said(3, 'third'), said(2, 'second'), said(2, 'also second')]);
    const order = ['id="L1"', 'id="L2"', 'second', 'also second', 'id="L3"', 'third'].map((text) => page.indexOf(text));
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    );
    assert.ok(order.every((at) => at >= 0));
  });

  it('shows diagnostics without a visible line before the source', async () => {
    const page = await view('a\n', [said(undefined, 'general'), said(99, 'beyond')]);
    for (const message of ['general', 'beyond']) assert.ok(page.indexOf(message) < page.indexOf('id="L1"'));
  });

  it('cuts long files after 3,000 lines and shortens long lines', async () => {
    const page = await view(`${'a: 1\n'.repeat(10_000)}`);
    assert.equal([...page.matchAll(/class="line"/g)].length, 3_000);
    assert.match(page, /7,000 more lines/);
    assert.ok((await view('x'.repeat(256 * 1024))).length < 5_000);
  });

  it('links each diagnostic to the description of its code', async () => {
    assert.match(await view('a\n', [said(1, 'x')]), /href="\/codes#advice\.no-health"/);
  });
});

describe('yamlLine', () => {
  const shown = async (line: string) => String(await yamlLine(line));

  it('keeps all characters of the line', async () => {
    for (const line of ['  - key: "a # b" # c', 'a: b#c', "'a: b': c", '# all', '- x', 'url: http://x', '"a": 1']) {
      const text = (await shown(line))
        .replace(/<[^>]*>/g, '')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'");
      assert.equal(text, line);
    }
  });

  it('highlights keys, comments and input references differently', async () => {
    assert.equal(await shown('a: b # c'), '<span class="k">a</span>: b<span class="c"> # c</span>');
    assert.equal(await shown('- "a # b"'), '- &quot;a # b&quot;');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how a template refers to an answer
    assert.equal(await shown('x: ${input.y}'), '<span class="k">x</span>: <span class="r">${input.y}</span>');
  });

  it('shows invisible characters as their code points', async () => {
    assert.match(await shown('a: b\u202ec'), /<span class="unseen"[^>]*>U\+202E<\/span>c/);
    assert.equal(await shown('a: 👩\u200d🚀'), '<span class="k">a</span>: 👩\u200d🚀');
  });
});
