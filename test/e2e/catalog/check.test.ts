/** The catalog's page that checks a template file: diagnostics while the author types, and without JavaScript. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openCatalogBrowser, visit } from '../../support/catalog-browser.ts';
import { barriers, overhang, PHONE } from '../../support/pages.ts';
import { inLong, someOf } from '../../support/tiers.ts';

const BROKEN = 'version: 1\nproject: notes\napps:\n  - key: web\n    image: ghcr.io/example/notes\n    prot: 3000\n';
const area = (page: Page) => page.getByRole('textbox', { name: 'template.yaml' });
const caret = (page: Page) =>
  page.evaluate(
    '(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.activeElement)',
  ) as Promise<string>;

describe('the check page of the catalog', async () => {
  const opened = await openCatalogBrowser();
  const { catalog, browser } = opened;
  const url = `${catalog.url}/check`;
  after(() => opened[Symbol.asyncDispose]());

  it('shows an error beside its line while typing and removes a fixed error', async () => {
    await using visited = await visit(browser, url);
    const { page, complaints } = visited;
    const remark = page.locator('.remark').nth(5);

    await area(page).fill(BROKEN);
    await page.getByRole('status').getByText('The catalog would refuse this template: 1 error.').waitFor();
    assert.match((await remark.textContent()) ?? '', /prot: 3000.*The key prot does not exist here/);
    await page.getByRole('button', { name: 'Line 6, column 5' }).click();
    assert.equal(await caret(page), 'prot: 3000');
    await page.keyboard.type('port: 3000');
    await page
      .getByRole('status')
      .getByText(/This template is valid/)
      .waitFor();
    assert.equal(await remark.textContent(), '    port: 3000');
    await page.getByText('Resources to create').click();
    await page.getByText('"schema_version": 1').waitFor();
    assert.deepEqual(complaints, []);
  });

  it('counts columns by visible characters if a character has several code units', inLong, async () => {
    await using visited = await visit(browser, url);
    const { page } = visited;

    await area(page).fill('version: 1\nproject: notes\napps: [{ key: "👩‍🚀", imag: x }]\n');
    const jump = page
      .locator('.said')
      .filter({ hasText: 'imag' })
      .getByRole('button', { name: /^Line 3/ });
    await jump.first().click();
    assert.equal(await caret(page), 'imag: x }]');
  });

  it('never shows the result of an outdated text', inLong, async () => {
    await using visited = await visit(browser, url);
    const { page, complaints } = visited;
    const held = Promise.withResolvers<void>();
    await page.route('**/api/v1/validate', async (route) => {
      if (route.request().postData()?.includes('prot')) await held.promise;
      // The page has cancelled the outdated request, so the route may fail to continue the request.
      await route.continue().catch(() => undefined);
    });

    const validateRequest = page.waitForRequest('**/api/v1/validate');
    await area(page).fill(BROKEN);
    await validateRequest;
    await area(page).fill(BROKEN.replace('prot', 'port'));
    await page
      .getByRole('status')
      .getByText(/This template is valid/)
      .waitFor();
    held.resolve();
    await area(page).fill(BROKEN.replace('prot: 3000', 'tag: "1"'));
    await page.getByText('Resources to create').waitFor();
    assert.equal(await page.locator('.said.error').count(), 0);
    assert.deepEqual(complaints, []);
  });

  it('inserts an example that can be undone, and lets the keyboard leave the editor', inLong, async () => {
    await using visited = await visit(browser, url);
    const { page } = visited;

    await area(page).fill('mine: 1');
    await page.getByRole('link', { name: 'Start from an example' }).click();
    await page.getByRole('status').getByText('This template is valid').waitFor();
    await page.keyboard.press('Control+z');
    assert.equal(await area(page).inputValue(), 'mine: 1');
    await page.keyboard.press('Tab');
    assert.notEqual(await page.evaluate('document.activeElement.id'), 'template');
  });

  it('reports an unreachable catalog and a template above the size limit', inLong, async () => {
    await using visited = await visit(browser, url);
    const { page } = visited;

    await page.route('**/api/v1/validate', (route) => route.abort());
    await area(page).fill(BROKEN);
    await page.getByText('The catalog could not be reached. Press Check to try again.').waitFor();
    await page.unroute('**/api/v1/validate');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('status').getByText('1 error').waitFor();
    await area(page).fill(`# ${'x'.repeat(300 * 1024)}`);
    await page
      .getByRole('status')
      .getByText(/256 KiB/)
      .waitFor();
  });

  it('has no accessibility problems or overflow with long warnings, light and dark', async () => {
    for (const colorScheme of someOf(['light', 'dark'] as const)) {
      await using visited = await visit(browser, url, { colorScheme });
      const { page } = visited;
      await area(page).fill(`${BROKEN}# ${'long '.repeat(100)}\n`.replace('prot', 'port'));
      await page.locator('.said.warning').first().waitFor();
      assert.deepEqual(await barriers(page), []);
      await page.setViewportSize(PHONE);
      assert.equal(await overhang(page), 0);
      assert.deepEqual(await barriers(page), []);
    }
  });

  it('checks a template that is submitted without JavaScript', async () => {
    await using visited = await visit(browser, url, { javaScriptEnabled: false });
    const { page } = visited;

    await area(page).fill(`\n${BROKEN}`);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('status').getByText('The catalog would refuse this template: 1 error.').waitFor();
    assert.equal(await area(page).inputValue(), `\n${BROKEN}`);
    await page.locator('.stretch').filter({ hasText: 'prot: 3000' }).getByText('Did you mean').waitFor();
    await page.getByRole('link', { name: 'Start from an example' }).click();
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('heading', { name: 'Resources to create' }).waitFor();
  });
});
