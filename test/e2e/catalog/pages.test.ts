/**
 * Accessibility, layout and content of every catalog page: wide and narrow, light and dark, with and without
 * JavaScript.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openCatalogBrowser, visit } from '../../support/catalog-browser.ts';
import { barriers, LOOKS, overhang, PHONE } from '../../support/pages.ts';
import { inLong } from '../../support/tiers.ts';

const LONG = 'a word that goes on '.repeat(30);
const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3);

const PAGES: Record<string, string> = {
  'the listing': '/',
  'a listing by tag and stars': '/?tag=privacy&sort=stars',
  'a search that finds nothing': '/?q=nothing+is+called+so',
  'a search that is refused': '/?sort=oldest',
  'a template': '/templates/davit-examples/docmost-template',
  'a template that uses additions': '/templates/davit-examples/listmonk-template',
  'a template whose newest release was refused': '/templates/davit-community/mailpit-template',
  'a template with long words in it': `/templates/acme/long-${'words'.repeat(15)}`,
  'a repository without an accepted release': '/templates/acme/refused',
  'an unknown template': '/templates/nobody/nothing',
  'an unknown page': '/nothing',
  'the check': '/check',
  'the check of the example': '/check?example=1',
  'the codes': '/codes',
};

describe('the pages of the catalog', async () => {
  const opened = await openCatalogBrowser();
  const { catalog, browser } = opened;
  after(() => opened[Symbol.asyncDispose]());
  const problems = [
    { severity: 'error' as const, code: 'yaml.syntax', message: LONG, path: [], line: 1, column: 2, hint: WORD },
    { severity: 'info' as const, code: 'advice.dockerhub', message: WORD, path: [] },
  ];
  catalog.add(
    { owner: 'acme', name: 'refused', releases: [{ rejected: true, problems }] },
    {
      ...{ owner: 'acme', name: `long-${'words'.repeat(15)}`, description: WORD, topics: [WORD.toLowerCase()] },
      releases: [
        {
          source: `${WORD}: ${LONG}\n`,
          readme: `# ${WORD}\n\n${WORD} \`${WORD}\`\n\n|${WORD}|b|\n|-|-|\n|${LONG}|c|\n`,
          problems: problems.slice(1),
        },
      ],
    },
  );

  for (const { name: look, as } of LOOKS) {
    it(`have no accessibility problems, overflow, console messages or foreign requests: ${look}`, async () => {
      await using visited = await visit(browser, catalog.url, as);
      const { page } = visited;
      for (const [name, path] of Object.entries(PAGES)) {
        await page.goto(catalog.url + path);
        assert.deepEqual(await barriers(page), [], name);
        for (const viewport of [PHONE, as.viewport]) {
          await page.setViewportSize(viewport);
          assert.equal(await overhang(page), 0, `${name} is wider than the window`);
        }
      }
      // The browser logs each response with status 400 or 404 to the console.
      assert.deepEqual(
        visited.complaints.filter((text) => !/status of 40[04]/.test(text)),
        [],
      );
      assert.deepEqual(visited.foreign, []);
    });
  }

  it('show the same text with and without JavaScript', async () => {
    await using scripted = await visit(browser, catalog.url);
    await using plain = await visit(browser, catalog.url, { javaScriptEnabled: false });
    for (const [name, path] of Object.entries(PAGES)) {
      const texts = [];
      for (const { page } of [scripted, plain]) {
        await page.goto(catalog.url + path);
        // biome-ignore lint/performance/useDomNodeTextContent: what is seen is compared, not what is there
        texts.push((await page.getByRole('main').innerText()).replace(/^(Copy|\d+)$/gm, '').replace(/\s+/g, ' '));
      }
      // With JavaScript, the check page shows additional text before the file is submitted.
      if (!path.startsWith('/check')) assert.equal(texts[0], texts[1], name);
    }
  });

  it('use the preferred color scheme without JavaScript', inLong, async () => {
    for (const [colorScheme, background] of [
      ['light', 'rgb(251, 251, 250)'],
      ['dark', 'rgb(14, 18, 22)'],
    ] as const) {
      await using visited = await visit(browser, `${catalog.url}/`, { colorScheme, javaScriptEnabled: false });
      assert.equal(await visited.page.evaluate('getComputedStyle(document.body).backgroundColor'), background);
    }
  });
});
