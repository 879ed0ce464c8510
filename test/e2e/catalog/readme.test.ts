/**
 * Hostile READMEs and templates in a real browser: none may run a script, load a resource or change the catalog's page.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bootCatalog, type TestCatalog } from '@davit/testkit/catalog';
import type { Browser } from 'playwright-core';
import { visit } from '../../support/catalog-browser.ts';
import { ATTACKS } from '../../support/markup-attacks.ts';
import { barriers, launchBrowser } from '../../support/pages.ts';
import { IS_LONG } from '../../support/tiers.ts';

/** Number of these elements in a page without a README: four `meta`, two `link` and one `script`. */
const FRAME = 7;

/** Attacks that get a page each. One more page contains all attacks. */
const ALONE = IS_LONG ? ATTACKS : ATTACKS.filter((_, at) => at % 5 === 0);

describe('hostile READMEs and templates in the catalog', () => {
  let catalog: TestCatalog;
  let browser: Browser;
  before(async () => {
    catalog = await bootCatalog();
    browser = await launchBrowser();
    const hostile = {
      description: '<script>pwned()</script>',
      topics: ['davit-template', '"><img/src/onerror=pwned()>'],
    };
    catalog.add(
      ...ALONE.map((readme, at) => ({
        owner: 'evil',
        name: `attack-${at}`,
        releases: [{ readme: `# x\n\n${readme}\n\nend` }],
      })),
      {
        ...hostile,
        owner: 'evil',
        name: 'all',
        releases: [{ readme: ATTACKS.join('\n\n'), source: `a: ${ATTACKS.join(' ')}\n` }],
      },
    );
  });
  after(async () => {
    await browser.close();
    await catalog[Symbol.asyncDispose]();
  });

  it(`run no scripts and contact no unexpected host: ${ALONE.length} READMEs, and all in one`, async () => {
    await using visited = await visit(browser, catalog.url);
    const { page, complaints, foreign } = visited;
    // The attacks call this function if their script runs in the page.
    await page.exposeFunction('pwned', () => complaints.push(`ran on ${page.url()}`));
    for (const name of [...ALONE.keys().map((at) => `attack-${at}`), 'all']) {
      await page.goto(`${catalog.url}/templates/evil/${name}`);
      for (const link of await page.locator('.readme a, .readme summary, .readme img').all())
        await link.dispatchEvent('mouseover');
      for (const link of await page.locator('.readme a').filter({ hasText: 'click' }).all())
        assert.match((await link.getAttribute('href')) ?? '', /^https?:|^#/, name);
      assert.equal(await page.locator('script, style, link, meta, base, iframe, object, form').count(), FRAME, name);
    }
    assert.deepEqual(complaints, []);
    assert.deepEqual(
      foreign.filter((address) => !address.startsWith('https://raw.githubusercontent.com/')),
      [],
    );
  });

  it('cannot take IDs or names that the page itself uses', async () => {
    await using visited = await visit(browser, `${catalog.url}/templates/evil/all`);
    const { page } = visited;
    const ids = (await page.evaluate(
      `[...document.querySelectorAll('.readme [id], .readme [name], .readme [class]')].map((e) => e.id || e.name || e.className)`,
    )) as string[];
    assert.deepEqual(
      ids.filter((id) => !/^(readme-|scroll$|task$|hidden$)/.test(id)),
      [],
    );
    assert.equal(await page.locator('#command').textContent(), 'davit template install evil/all');
    assert.equal(await page.evaluate('document.querySelectorAll("#main").length'), 1);
  });

  it('are shown as text in a listing and in the search field', async () => {
    await using visited = await visit(browser, `${catalog.url}/?q=${encodeURIComponent('<script>pwned()</script>')}`);
    const { page, complaints, foreign } = visited;
    await page.getByText('<script>pwned()</script>').first().waitFor();
    assert.deepEqual(await barriers(page), []);
    assert.deepEqual([complaints, foreign], [[], []]);
  });
});
