/** Tasks in a real browser: the list, and a running task with live updates until its end. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DATA, databaseAt, seedData } from '@davit/testkit';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { looksRight } from '../../support/dashboard-looks.ts';
import { inLong } from '../../support/tiers.ts';

let fixture: DashboardBrowser;
before(async () => {
  fixture = await openDashboard({ taskLimits: { readyEveryMs: 1 } });
  await seedData(fixture.daemon);
});
after(() => fixture[Symbol.asyncDispose]());

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const client = () => fixture.daemon.client;
/** Waits until the page's header shows the name and the status. */
const shown = (page: Page, name: string, status: string) =>
  page
    .locator('header')
    .filter({ has: page.getByRole('heading', { level: 1, name, exact: true }) })
    .getByText(status, { exact: true })
    .waitFor();

describe('tasks in the dashboard', () => {
  it('are shown on the page of their subject and live on their own page', async () => {
    const gate = fixture.daemon.engine.controls.pause('start');
    const params = databaseAt(DATA.cache);
    const { id } = await client().restartDatabase({ params });
    await gate.reached;
    await using visited = await fixture.visit(`/databases/${DATA.cache}`);
    const { page } = visited;
    await page.getByRole('heading', { name: 'Restart a database' }).waitFor();
    assert.equal(await button(page, 'Back up now').getAttribute('aria-disabled'), 'true');
    await page.getByRole('link', { name: `Task ${id}` }).click();
    await page.waitForURL(new RegExp(`/tasks/${id}$`));
    await page.locator('[data-state=running]').waitFor();
    gate.open();
    await shown(page, 'Restart a database', 'succeeded');
    await page.locator('[data-state=running]').waitFor({ state: 'detached' });
  });

  it('are listed and can be filtered by status', async () => {
    await using visited = await fixture.visit('/tasks');
    const { page } = visited;
    const rows = page.getByRole('table', { name: 'Tasks' }).getByRole('row');
    await rows.filter({ hasText: 'Back up a database' }).filter({ hasText: DATA.main }).first().waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('failed');
    await page.getByText('No matching tasks.').waitFor();
  });

  it('can be canceled after confirmation, and their changes are undone', inLong, async () => {
    const { controls } = fixture.daemon.engine;
    controls.program('pg_isready', async () => 1);
    const body = { project: 'shop', environment: 'staging', name: 'never', engine: 'postgres' as const };
    const { id } = await client().createDatabase({ body });
    await using visited = await fixture.visit(`/tasks/${id}`);
    const { page } = visited;
    await page.getByText('Wait until the service is ready').first().waitFor();
    await button(page, 'Cancel task…').click();
    await button(page, 'Cancel task').click();
    await shown(page, 'Create a database', 'cancelled');
    controls.program('pg_isready', async () => 0);
    const left = await client().listDatabases();
    assert.ok(!left.some(({ name }) => name === 'never'));
  });

  it('can be followed but not canceled by a viewer', inLong, async () => {
    const gate = fixture.daemon.engine.controls.pause('start');
    const { id } = await client().restartDatabase({ params: databaseAt(DATA.cache) });
    await gate.reached;
    await using visited = await fixture.visit(`/tasks/${id}`, { role: 'viewer' });
    assert.equal(await button(visited.page, 'Cancel task…').getAttribute('aria-disabled'), 'true');
    gate.open();
    await shown(visited.page, 'Restart a database', 'succeeded');
  });

  it('have no accessibility problems or overflow, on a phone and in dark mode', inLong, async () => {
    const [newest] = await client().listTasks();
    const ready = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor();
    for (const path of ['/tasks', `/tasks/${newest?.id}`]) await looksRight(fixture, path, { ready });
  });
});
