/**
 * Template installations under failures in a real browser: an unavailable instance, a double click, two tabs,
 * navigation back and a restart.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bootCatalog, type TestCatalog } from '@davit/testkit/catalog';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { SameAddress } from '../../support/dashboard-restart.ts';
import { seedTemplates } from '../../support/seed-templates.ts';
import { inLong } from '../../support/tiers.ts';

const form = (project: string) => `/templates/acme/notes?tab=install&release=v1.0.0&project=${project}`;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const made = (page: Page) => page.getByRole('list', { name: 'Resources to create' });

describe('template installation under failures', { skip: inLong.skip }, () => {
  const address = new SameAddress();
  let fixture: DashboardBrowser;
  let catalog: TestCatalog;
  before(async () => {
    catalog = await bootCatalog();
    fixture = await openDashboard({ settings: address.settings });
    await seedTemplates(fixture.daemon, catalog);
  });
  after(async () => {
    await fixture[Symbol.asyncDispose]();
    await catalog[Symbol.asyncDispose]();
  });
  const installsIn = async (project: string) =>
    (await fixture.daemon.client.listTemplateInstalls()).filter((one) => one.project === project);

  it('keeps form values while the instance is unavailable and then installs the template', async () => {
    await using visited = await fixture.visit(form('away'));
    visited.expectRefusal(0, 502, 503);
    const { page } = visited;
    await made(page).getByText('away/production/web').waitFor();
    await page.getByLabel('Largest upload').fill('4096');
    await page.getByLabel('Key that signs sessions').fill('typed-before-it-went');
    const back = await address.away(fixture.daemon);
    await page.locator('[data-live]:not([data-live=live])').first().waitFor();
    await page.getByLabel('Colour').fill('green');
    await back();
    await page.locator('[data-live=live]').first().waitFor();
    assert.equal(await page.getByLabel('Largest upload').inputValue(), '4096');
    assert.equal(await page.getByLabel('Key that signs sessions').inputValue(), 'typed-before-it-went');
    assert.equal(await page.getByLabel('Colour').inputValue(), 'green');
    await button(page, 'Install').click();
    await page.getByRole('link', { name: 'Open web' }).waitFor();
    const { vars } = await fixture.daemon.client.getAppEnv({
      params: { project: 'away', environment: 'production', app: 'web' },
    });
    assert.deepEqual([vars.SIZE, vars.COLOUR, vars.SECRET], ['4096', 'green', 'typed-before-it-went']);
  });

  it('creates one installation if the button is double-clicked', async () => {
    await using visited = await fixture.visit(form('twice'));
    const { page } = visited;
    await made(page).getByText('twice/production/web').waitFor();
    await button(page, 'Install').dblclick();
    await page.waitForURL(/\/installs\/\d+\?run=\d+/);
    await page.getByRole('link', { name: 'Open web' }).waitFor();
    assert.equal((await installsIn('twice')).length, 1);
    assert.equal(visited.asked.filter((one) => one === 'POST /api/templates/acme/notes/installs').length >= 1, true);
  });

  it('continues while the user navigates back and is shown again afterwards', async () => {
    const gate = fixture.daemon.engine.controls.pause('createGroup');
    await using visited = await fixture.visit('/templates/acme/notes');
    const { page } = visited;
    await page.goto(form('back'));
    await made(page).getByText('back/production/web').waitFor();
    await button(page, 'Install').click();
    await page.waitForURL(/\/installs\/\d+\?run=\d+/);
    const run = page.url();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Notes' }).waitFor();
    await page.goForward();
    await page.waitForURL(run);
    await page.getByText('Deploy the apps', { exact: false }).first().waitFor();
    gate.open();
    await page.getByRole('link', { name: 'Open web' }).waitFor();
    assert.equal((await installsIn('back')).length, 1);
  });

  it('is refused in a second tab with equal names and followed in a third tab', async () => {
    const gate = fixture.daemon.engine.controls.pause('createGroup');
    await using visited = await fixture.visit(form('tabs'));
    visited.expectRefusal(409, 422);
    const { page, context } = visited;
    const other = await context.newPage();
    await other.goto(form('tabs'));
    await made(other).getByText('tabs/production/web').waitFor();
    await made(page).getByText('tabs/production/web').waitFor();
    await button(page, 'Install').click();
    await page.waitForURL(/\/installs\/\d+\?run=\d+/);
    await button(other, 'Install').click();
    await other
      .getByText(/tabs\/production|called web/)
      .first()
      .waitFor();
    const third = await context.newPage();
    await third.goto(page.url());
    gate.open();
    await Promise.all([page, third].map((tab) => tab.getByRole('link', { name: 'Open web' }).waitFor()));
    const there = await installsIn('tabs');
    assert.equal(there.filter(({ status }) => status === 'installed').length, 1);
  });

  it('is shown to its end if the instance restarts during the run', async () => {
    const gate = fixture.daemon.engine.controls.pause('createGroup');
    await using visited = await fixture.visit(form('midst'));
    visited.expectRefusal(0, 502, 503);
    const { page } = visited;
    await made(page).getByText('midst/production/web').waitFor();
    await button(page, 'Install').click();
    await page.waitForURL(/\/installs\/\d+\?run=\d+/);
    gate.open();
    const back = await address.away(fixture.daemon);
    await page.locator('[data-live]:not([data-live=live])').first().waitFor();
    await page.getByRole('heading', { level: 1, name: 'Notes' }).waitFor();
    await back();
    await page.getByRole('link', { name: 'Open web' }).waitFor({ timeout: 60_000 });
  });
});
