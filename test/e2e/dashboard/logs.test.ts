/** An app's log page in a real browser: follow, search, filters, links and download. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { until } from '@davit/testkit/waiting';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { lines, shows, showsOnly, status, TIMEOUT, texts } from '../../support/log-steps.ts';
import { numbered, writingApp } from '../../support/log-writer.ts';
import { finds } from '../../support/pages.ts';
import { inLong } from '../../support/tiers.ts';

let fixture: DashboardBrowser;
before(async () => {
  fixture = await openDashboard({ seed: false });
});
after(() => fixture[Symbol.asyncDispose]());

/** Returns how many pixels of a line are below the visible part of the log. */
async function hiddenBelow(page: Page, text: string): Promise<number> {
  const [line, box] = [await page.getByText(text, { exact: true }).boundingBox(), await lines(page).boundingBox()];
  return line === null || box === null ? Number.NaN : line.y + line.height - (box.y + box.height);
}

describe('the log page of an app', () => {
  it('follows new lines, pauses when scrolled up and returns to the newest line', async () => {
    const app = await writingApp(fixture.daemon);
    app.write(numbered(1, 200));
    await using visited = await fixture.visit(app.page('logs'));
    const { page } = visited;
    await shows(page, 'line 200.');
    await status(page, 'Following');
    app.write(numbered(201, 205));
    await shows(page, 'line 205.');
    // The element above the first line also needs space, but the newest line must be completely visible.
    await finds(
      () => hiddenBelow(page, 'line 205.'),
      (pixels) => pixels <= 0,
      'nothing of the newest line hidden',
    );

    await lines(page).focus();
    await page.keyboard.press('Home');
    await shows(page, 'line 1.');
    await status(page, 'Paused');
    app.write(numbered(206, 208));
    await page.getByRole('button', { name: /Follow · 3 new/ }).click(TIMEOUT);
    await shows(page, 'line 208.');
    await status(page, 'Following');
  });

  it('loads older lines without duplicates up to the beginning of the log', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    app.write(numbered(1, 1_700));
    await using visited = await fixture.visit(app.page('logs'));
    const { page } = visited;
    await shows(page, 'line 1700.');
    await lines(page).focus();
    // The page loads older lines each time the first loaded line is visible.
    const beginning = page.getByText('There are no older lines.');
    const goUp = () => page.keyboard.press('Home').then(() => beginning.count());
    await finds(goUp, (count) => count === 1, 'the beginning of the log');
    // The last loaded lines are above the line that was the first visible line.
    await page.keyboard.press('Home');
    await shows(page, 'line 1.');
    await status(page, /^1,701 lines$/);
    await until('the first lines are there', async () =>
      isDeepStrictEqual((await texts(page)).slice(0, 3), ['listening', 'line 1.', 'line 2.']) ? true : null,
    );
  });

  it('searches the loaded lines while typing and the whole log on request', async () => {
    const app = await writingApp(fixture.daemon);
    app.write(numbered(1, 3_000));
    await using visited = await fixture.visit(app.page('logs'));
    const { page } = visited;
    await shows(page, 'line 3000.');
    await page.keyboard.press('/');
    await page.keyboard.type('LINE 29');
    await status(page, /^\d+$/);
    await page.keyboard.press('Enter');
    const position = async () =>
      Number(/^(\d+) of/.exec((await page.getByText(/^\d+ of \d+$/).textContent(TIMEOUT)) ?? '')?.[1]);
    const first = await position();
    await lines(page).focus();
    await page.keyboard.press('N');
    await status(page, new RegExp(`^${first - 1} of`));
    await page.keyboard.press('n');
    await status(page, new RegExp(`^${first} of`));
    assert.ok((await page.locator('[data-current] mark').count()) > 0);
    await page.waitForURL(/find=LINE/);

    await page.getByRole('searchbox').or(page.getByLabel('Search log lines')).fill('line 7.');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/[?&]q=line/);
    await showsOnly(page, ['line 7.']);
    app.write(['another', 'once more line 7.']);
    await showsOnly(page, ['line 7.', 'once more line 7.']);
  });

  it('filters lines by level and stream and keeps the filters in the URL', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    app.write(['INFO one', '{"level":"error","msg":"two"}', 'level=warn msg=three']);
    app.write(['four'], 'stderr');
    await using visited = await fixture.visit(app.page('logs'));
    const { page } = visited;
    await shows(page, 'INFO one');
    await page.getByRole('button', { name: 'Error', exact: true }).click();
    await page.waitForURL(/level=error/);
    await showsOnly(page, ['two']);
    await page.getByRole('button', { name: 'Error', exact: true }).click();
    await page.getByLabel('Stream').selectOption('stderr');
    await page.waitForURL(/stream=stderr/);
    await showsOnly(page, ['four']);
    await lines(page).getByText('stderr', { exact: true }).waitFor(TIMEOUT);
  });

  it('shows a time range without following new lines', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    app.write(numbered(1, 3));
    await using visited = await fixture.visit(app.page('logs', '?since=15m'));
    const { page } = visited;
    await shows(page, 'line 3.');
    await status(page, /New\s+lines\s+are\s+not\s+shown/);
    await page.getByRole('button', { name: 'Follow new lines' }).click();
    await status(page, 'Following');
    await page.goto(app.page('logs', '?since=2020-01-01T00:00:00Z&until=2020-01-02T00:00:00Z'));
    await page.getByText('No matching lines').waitFor(TIMEOUT);
    await page.getByText(`davit logs ${app.reference} --since 2020`).waitFor();
  });

  it('copies a link to a line, and the link shows the line again', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    app.write(numbered(1, 400));
    await using visited = await fixture.visit(app.page('logs'), { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = visited;
    await shows(page, 'line 400.');
    await lines(page).focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('l');
    await page.getByText('Copied a link to the line.').waitFor(TIMEOUT);
    const link = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.match(link, /line=2/);
    await page.goto(link);
    await page.locator('[data-current]').waitFor(TIMEOUT);
  });

  it('downloads only the lines that match the search', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    app.write(numbered(1, 20));
    await using visited = await fixture.visit(app.page('logs', '?q=line+1'));
    await shows(visited.page, 'line 19.');
    const [download] = await Promise.all([
      visited.page.waitForEvent('download', TIMEOUT),
      visited.page.getByRole('button', { name: 'Download matching lines' }).click(),
    ]);
    let text = '';
    for await (const piece of await download.createReadStream()) text += piece;
    assert.equal(text.trim().split('\n').length, 11);
  });
});
