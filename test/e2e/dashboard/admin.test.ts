/** The audit log in a real browser. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { AuditEvent } from '@davit/api';
import { ADMIN } from '@davit/testkit';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { looksRight } from '../../support/dashboard-looks.ts';
import { inLong } from '../../support/tiers.ts';

const shows = (text: string) => (page: Page) => page.getByText(text).first().waitFor();

describe('the audit log page', () => {
  let fixture: DashboardBrowser;
  before(async () => {
    fixture = await openDashboard();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const rows = (page: Page) => page.getByRole('table', { name: 'Audit log' }).getByRole('row');

  it('shows user, action, target and outcome, and links to the target', async () => {
    await using visited = await fixture.visit('/audit');
    const { page } = visited;
    const deployed = rows(page).filter({ hasText: 'Deploy app' }).filter({ hasText: 'shop/staging/web' }).first();
    await deployed.getByRole('link', { name: ADMIN.username }).waitFor();
    assert.match((await deployed.textContent()) ?? '', /api.*127\.0\.0\.1.*ok/);
    await deployed.getByRole('link', { name: 'shop/staging/web' }).click();
    await page.waitForURL('**/projects/shop/staging/web');
  });

  it('keeps its filters in the URL', inLong, async () => {
    await using visited = await fixture.visit('/audit');
    const { page } = visited;
    await page.getByLabel('Target').fill('blog');
    await page.getByLabel('Target').press('Enter');
    await rows(page).filter({ hasText: 'shop' }).first().waitFor({ state: 'detached' });
    await page.getByLabel('User').selectOption(ADMIN.username);
    await page.getByLabel('Outcome').selectOption('ok');
    await page.waitForURL(/outcome=ok/);
    assert.deepEqual(Object.fromEntries(new URL(page.url()).searchParams), {
      target: 'blog',
      user: ADMIN.username,
      outcome: 'ok',
    });
    await page.reload();
    await rows(page).filter({ hasText: 'blog' }).first().waitFor();
    assert.equal(await rows(page).filter({ hasText: 'shop' }).count(), 0);
    assert.equal(await page.getByLabel('Target').inputValue(), 'blog');
    await page.getByLabel('Outcome').selectOption('failed');
    await page.getByText('No matching entries').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rows(page).filter({ hasText: 'shop' }).first().waitFor();
  });

  it('pages through older entries and back to the newest entries', inLong, async () => {
    for (let n = 0; n < 60; n += 1) {
      await fixture.daemon.client.setProjectEnv({ params: { project: 'shop' }, body: { set: { N: String(n) } } });
    }
    await using visited = await fixture.visit('/audit');
    const { page } = visited;
    await rows(page).nth(50).waitFor();
    const newest = await page.getByRole('button', { name: 'Newest' }).getAttribute('aria-disabled');
    assert.equal(newest, 'true');
    await page.getByRole('button', { name: 'Older' }).click();
    await page.waitForURL(/before=/);
    await rows(page).filter({ hasText: 'Create project' }).first().waitFor();
    await page.getByRole('button', { name: 'Newest' }).click();
    await rows(page).filter({ hasText: 'Create project' }).first().waitFor({ state: 'detached' });
  });

  it('verifies the hash chain and shows the result', inLong, async () => {
    await using visited = await fixture.visit('/audit');
    await visited.page.getByRole('button', { name: 'Verify' }).click();
    await visited.page.getByText(/entries checked. The log is intact\./).waitFor();
  });

  it('exports the filtered entries as JSON and CSV', inLong, async () => {
    await using visited = await fixture.visit('/audit?target=shop&outcome=ok');
    const { page } = visited;
    const saved = async (format: string) => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: format }).click();
      return readFile(await (await download).path(), 'utf8');
    };
    const events = JSON.parse(await saved('As JSON')) as AuditEvent[];
    // The export requests several pages from the API. More than 60 entries show that the export is complete.
    assert.ok(events.length > 60, `${events.length} rows`);
    assert.ok(events.every(({ target, outcome }) => /^shop(\/|$)/.test(target) && outcome === 'ok'));
    const lines = (await saved('As CSV')).trimEnd().split('\r\n');
    assert.equal(lines.length, events.length + 1);
    assert.match(lines[0] ?? '', /^id,at,user,/);
  });

  it('refuses a member with a reason and requests no entries', inLong, async () => {
    await using visited = await fixture.visit('/audit', { role: 'member' });
    await visited.page
      .getByText('This operation requires the role admin, but your role is member. Ask an admin to do it.')
      .waitFor();
    assert.ok(!visited.asked.some((request) => request.includes('/api/audit')));
  });

  it('has no accessibility problems or overflow, wide and narrow, light and dark', async () => {
    await looksRight(fixture, '/audit', { ready: shows('All requests that changed something') });
  });
});
