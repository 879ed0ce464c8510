/** Navigation through the catalog's pages by keyboard alone, and in a browser without JavaScript. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openCatalogBrowser, visit } from '../../support/catalog-browser.ts';
import { inLong } from '../../support/tiers.ts';

/** Presses Tab until an element with this name has the focus, and checks that each focused element is visible. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let stop = 0; stop < 100; stop++) {
    await page.keyboard.press('Tab');
    const { words, isSeen, isMarked } = (await page.evaluate(`(() => {
      const at = document.activeElement;
      const box = at.getBoundingClientRect();
      const rings = [at, ...['::before', '::after']].map((part) => typeof part === 'string' ? getComputedStyle(at, part) : getComputedStyle(part));
      return {
        words: at.getAttribute('aria-label') || at.labels?.[0]?.textContent || at.textContent.trim(),
        isSeen: box.width > 0 && box.height > 0,
        isMarked: rings.some(({ outlineStyle }) => outlineStyle !== 'none'),
      };
    })()`)) as { words: string; isSeen: boolean; isMarked: boolean };
    assert.ok(isSeen && isMarked, `“${words}” has the focus and shows it`);
    if (name.test(words)) return;
  }
  assert.fail(`the keyboard does not reach ${name}`);
}

describe('the catalog in a browser', async () => {
  const opened = await openCatalogBrowser();
  const { catalog, browser } = opened;
  after(() => opened[Symbol.asyncDispose]());

  it('leads from a search to the copied install command by keyboard alone', async () => {
    await using visited = await visit(browser, catalog.url, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page, complaints } = visited;

    await tabTo(page, /^Skip to the content$/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Search by name or description$/);
    await page.keyboard.type('uptime kuma');
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=uptime/);
    await tabTo(page, /^Uptime Kuma$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /Uptime Kuma/ }).waitFor();
    await tabTo(page, /^Copy$/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();

    assert.equal(
      await page.evaluate('navigator.clipboard.readText()'),
      'davit template install davit-examples/cubeship-uptime-kuma-template',
    );
    assert.deepEqual(complaints, []);
  });

  it('supports search, tags, sorting and rejected releases without JavaScript', inLong, async () => {
    await using visited = await visit(browser, catalog.url, { javaScriptEnabled: false });
    const { page } = visited;
    const titles = () => page.getByRole('article').getByRole('heading').getByRole('link').allTextContents();

    await page.getByRole('link', { name: 'Most stars' }).click();
    await page.waitForURL(/sort=stars/);
    assert.equal((await titles())[0], 'Uptime Kuma');
    await page.getByRole('link', { name: 'mail', exact: true }).click();
    await page.waitForURL(/tag=mail/);
    assert.deepEqual(await titles(), ['listmonk', 'Mailpit']);
    await page.getByRole('link', { name: /^mail.*remove the filter$/ }).click();
    await page.waitForURL((url) => !url.searchParams.has('tag'));
    assert.equal((await titles()).length, 10);
    await page.getByRole('searchbox').fill('catches');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'Mailpit' }).click();
    const refused = page.getByRole('listitem').filter({ hasText: 'Refused' });
    await refused.getByText('A generated secret must have at least').waitFor();
    await refused.getByRole('link', { name: 'input.generate' }).first().click();
    await page.waitForURL(/\/codes#input\.generate$/);
    assert.ok(await page.locator('[id="input.generate"]').isVisible());
  });

  it('shows resources, inputs and notes of a template, each note beside its line', async () => {
    await using visited = await visit(browser, `${catalog.url}/templates/davit-examples/docmost-template#L68`);
    const { page } = visited;

    await page
      .getByText('2 apps, 2 databases, and 1 object store')
      .or(page.getByText('2 apps, 2 databases and 1 object store'))
      .waitFor();
    await page.getByRole('row', { name: /Where the wiki answers.*Domain.*Required/ }).waitFor();
    await page.getByRole('row', { name: /The key that signs sessions.*Secret.*Generated/ }).waitFor();
    const [line, note] = [page.locator('#L68'), page.locator('.notes').filter({ hasText: 'no health' }).first()];
    const [lineBox, noteBox] = [await line.boundingBox(), await note.boundingBox()];
    assert.ok(lineBox && noteBox);
    assert.ok(Math.abs(lineBox.y - noteBox.y) < lineBox.height, 'the note begins at its line');
    assert.ok(noteBox.x > lineBox.x + lineBox.width - 1, 'the note stands in the margin');
  });
});
