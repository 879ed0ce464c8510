import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderReadme } from './render.ts';

const COMMIT = 'c'.repeat(40);
const LOCATION = { url: 'https://github.com/acme/notes', owner: 'acme', name: 'notes', commit: COMMIT };
const render = (markdown: string) => renderReadme(markdown, LOCATION).trim();

describe('renderReadme', () => {
  it('renders headings below the page headings and prefixes their ids', () => {
    assert.equal(render('# A *b*'), '<h3 id="readme-a-b">A <em>b</em></h3>');
    assert.match(render('# A\n## B\n## B'), /<h4 id="readme-b">B<\/h4>\s<h4 id="readme-b-1">B<\/h4>/);
    assert.match(render('### A\n###### B'), /<h3 id="readme-a">A<\/h3>\s<h4 id="readme-b">B<\/h4>/);
    assert.equal(render('<h1 align="center">Main</h1>'), '<h3 id="readme-main" align="center">Main</h3>');
    assert.match(render('[to](#a-b)'), /href="#readme-a-b"/);
  });

  it('links relative paths to the repository at its commit and drops outside paths', () => {
    const blob = `https://github.com/acme/notes/blob/${COMMIT}`;
    assert.match(render('[a](docs/a.md#b)'), new RegExp(`href="${blob}/docs/a.md#b"`));
    assert.match(render('[a](/LICENSE)'), new RegExp(`href="${blob}/LICENSE"`));
    assert.match(render('[a](./x/../b.md?c=1)'), new RegExp(`href="${blob}/b.md\\?c=1"`));
    for (const out of ['../../../other/repo', '/../../../x', '..\\..\\..\\x'])
      assert.doesNotMatch(render(`<a href="${out}">x</a>`), /href/);
  });

  it('marks external links with rel noopener, nofollow and ugc', () => {
    assert.match(render('[a](https://example.com)'), /rel="noopener nofollow ugc"/);
    assert.match(render('https://example.com/x'), /<a href="https:\/\/example.com\/x"/);
  });

  it('shows images of the repository and replaces other images with links', () => {
    const raw = 'https://raw.githubusercontent.com/acme/notes';
    assert.match(render('![a](img/a.png)'), new RegExp(`<img src="${raw}/${COMMIT}/img/a.png" alt="a"`));
    assert.match(
      render('![a](https://github.com/acme/notes/blob/main/a.png?raw=true)'),
      new RegExp(`"${raw}/main/a.png"`),
    );
    assert.match(
      render('![pic](https://evil.example/a.png)'),
      /<a href="https:\/\/evil\.example\/a\.png"[^>]*>pic<\/a>/,
    );
    for (const src of [
      'http://raw.githubusercontent.com/x',
      '//evil.example/x',
      'https://u:p@raw.githubusercontent.com/x',
      'data:image/png;base64,AA',
    ])
      assert.doesNotMatch(render(`<img src="${src}">`), /<img/);
  });

  it('replaces a badge inside a link with its text', () => {
    const page = render('[![build](https://img.example/b.svg)](https://ci.example)');
    assert.equal(page, '<p><a href="https://ci.example/" rel="noopener nofollow ugc"><span>build</span></a></p>');
  });

  it('renders scrollable tables, task lists and code blocks', () => {
    assert.match(render('|a|\n|-:|\n|1|'), /<div class="scroll" tabindex="0".*<th align="right">a<\/th>/s);
    assert.match(render('- [ ] a\n- [x] b'), /<li class="task">☐ a<\/li>\s<li class="task">☑ b<\/li>/);
    assert.match(render('```sh\nx\n```'), /<pre tabindex="0"><code>x/);
  });

  it('removes classes, styles, ids, names, forms and frames', () => {
    const page = render(
      '<div class="card" id="main" style="position:fixed" name="x" data-copy="y"><form action="/x"><input name="q"><button>b</button></form><iframe src="https://x"></iframe><object data="x"></object><base href="//x"><meta http-equiv="refresh" content="0"><a name="check" id="check">z</a></div>',
    );
    assert.equal(page.replace(/\s/g, ''), '<div>bz</div>'.replace('z', '<span>z</span>'));
  });

  it('removes links that run scripts or use unsafe schemes', () => {
    for (const href of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java&#10;script:alert(1)',
      ' &#1;javascript:alert(1)',
      'vbscript:x',
      'data:text/html,x',
      'file:///etc/passwd',
      'blob:x',
    ])
      assert.doesNotMatch(
        render(`<a href="${href}">x</a> [y](<${href}>)`),
        /href="(?!https:\/\/github\.com\/acme\/notes\/)/i,
      );
  });

  it('removes a link without text', () => {
    assert.doesNotMatch(render('a <a href="https://x.example"></a> b'), /<a/);
  });
});
