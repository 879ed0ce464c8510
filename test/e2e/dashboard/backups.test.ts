/** Backups of databases in a real browser: coverage, manual backups, schedules and restores. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { DATA, databaseAt } from '@davit/testkit';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { button, dialog, looksRightAt, openData, shown } from '../../support/data-steps.ts';
import { inLong, someOf } from '../../support/tiers.ts';

const MAIN = `/databases/${DATA.main}`;
const OF_MAIN = `${MAIN}?tab=backups`;
const PAGES = ['/backups', OF_MAIN, `${OF_MAIN}&schedule=1`, '/backups?restore=1'];

let fixture: DashboardBrowser;
before(async () => {
  fixture = await openData();
});
after(() => fixture[Symbol.asyncDispose]());

const client = () => fixture.daemon.client;
const choose = async (page: Page, item: string) => {
  await page
    .getByRole('button', { name: /^Actions for backup/ })
    .last()
    .click();
  await page.getByRole('menuitem', { name: item }).click();
};
describe('backups in the dashboard', () => {
  it('list uncovered databases first, can be taken immediately and restored as a new database', async () => {
    await using visited = await fixture.visit('/backups');
    const { page } = visited;
    await page.getByText('Databases with recent backups: 1 of 3.').waitFor();
    const rows = page.getByRole('table', { name: 'Backup coverage' }).getByRole('row');
    assert.match((await rows.nth(1).textContent()) ?? '', /has no backup/);
    await page.getByRole('table', { name: 'Backup coverage' }).getByRole('link', { name: DATA.main }).click();
    await button(page, 'Back up now').click();
    const table = page.getByRole('table', { name: 'Backups' });
    await table.getByText('succeeded').nth(1).waitFor();
    const newest = (await fixture.daemon.client.listBackups()).find(({ database }) => database === DATA.main);
    await table.getByRole('cell', { name: String(newest?.id), exact: true }).waitFor();
    await choose(page, 'Restore…');
    await dialog(page).getByRole('textbox', { name: 'Name of the new database' }).fill('again');
    await button(page, 'Restore as new database').click();
    await page.waitForURL(/\/databases\/shop\/production\/again$/);
    await shown(page, 'again', 'running');
  });

  it('can be scheduled with a preview of the next run, and the schedule removed', inLong, async () => {
    await using visited = await fixture.visit(`/databases/${DATA.cache}?tab=backups`);
    const { page } = visited;
    await button(page, 'Schedule backups…').click();
    await dialog(page).getByRole('textbox', { name: 'Cron expression' }).fill('30 2 * * *');
    await dialog(page).getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin');
    await dialog(page)
      .getByText(/^Next .*02:30/)
      .waitFor();
    await dialog(page).getByRole('textbox', { name: 'Retention' }).fill('0');
    visited.expectRefusal(400);
    await button(page, 'Save schedule').click();
    await dialog(page).getByRole('alert').first().waitFor();
    await dialog(page).getByRole('textbox', { name: 'Retention' }).fill('14');
    await button(page, 'Save schedule').click();
    await page.getByText('14 successful backups').waitFor();
    const schedule = await client().getBackupSchedule({ params: databaseAt(DATA.cache) });
    assert.deepEqual([schedule.cron, schedule.time_zone, schedule.keep], ['30 2 * * *', 'Europe/Berlin', 14]);
    await button(page, 'Remove…').click();
    await button(page, 'Remove schedule').click();
    await page.getByText('This database has no backup schedule.').waitFor();
  });

  it('offer stores of the project and of the whole instance as destinations', async () => {
    for (const [reference, stores] of [
      [DATA.main, [DATA.managed, DATA.store]],
      [DATA.posts, [DATA.store]],
    ] as const) {
      await using visited = await fixture.visit(`/databases/${reference}?tab=backups&schedule=1`);
      const where = dialog(visited.page).getByRole('combobox', { name: 'Destination' });
      await where.locator('option', { hasText: DATA.store }).waitFor({ state: 'attached' });
      assert.deepEqual(await where.locator('option').allTextContents(), ['This server', ...stores]);
    }
  });

  it('replace the data of a database if its name is typed', inLong, async () => {
    await using visited = await fixture.visit(OF_MAIN);
    const { page } = visited;
    await choose(page, 'Restore…');
    await dialog(page).getByRole('radio', { name: 'In place' }).check();
    const replace = button(page, 'Replace data of main');
    assert.equal(await replace.getAttribute('aria-disabled'), 'true');
    await dialog(page).getByRole('textbox').fill('main');
    await replace.click();
    await page.waitForURL(/\/databases\/shop\/production\/main$/);
    await shown(page, 'main', 'running');
    await page.goto(OF_MAIN);
    await page.getByText('before a restore').first().waitFor();
  });

  it('can be verified, downloaded and deleted', inLong, async () => {
    await using visited = await fixture.visit(OF_MAIN);
    const { page } = visited;
    await choose(page, 'Verify backup');
    await page
      .getByText(/^verified/)
      .first()
      .waitFor();
    const coming = page.waitForEvent('download');
    await choose(page, 'Download');
    const file = await (await coming).path();
    assert.ok((await readFile(file)).length > 0);
    const before = await page.getByRole('button', { name: /^Actions for backup/ }).count();
    await choose(page, 'Delete…');
    await dialog(page).getByRole('textbox').fill('main');
    await button(page, 'Delete backup').click();
    await page
      .getByText(/^Deleted backup \d+\.$/)
      .first()
      .waitFor();
    const rows = page.getByRole('button', { name: /^Actions for backup/ });
    await rows.nth(before - 1).waitFor({ state: 'detached' });
  });

  it('cannot be restored, downloaded or deleted by a member', inLong, async () => {
    await using visited = await fixture.visit(OF_MAIN, { role: 'member' });
    const { page } = visited;
    await page
      .getByRole('button', { name: /^Actions for backup/ })
      .last()
      .click();
    for (const name of ['Restore…', 'Download', 'Delete…']) {
      const item = page.getByRole('menuitem', { name });
      assert.equal(await item.getAttribute('aria-disabled'), 'true', name);
    }
  });

  it('show an empty state on an instance without databases', inLong, async () => {
    await using empty = await openDashboard({ seed: false });
    await using visited = await empty.visit('/backups');
    await visited.page.getByText('No databases yet.').waitFor();
    await visited.page.getByText('No backups yet').waitFor();
  });

  for (const path of someOf(PAGES)) {
    it(`have no accessibility problems or overflow at ${path}`, () => looksRightAt(fixture, path));
  }
});
