/** The plan of a change, which the dashboard shows before a save with a deployment, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { deployedApp, app as newApp, paramsOf } from '@davit/testkit';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { inLong } from '../../support/tiers.ts';

const WAIT = { timeout: 60_000 };

let fixture: DashboardBrowser;
before(async () => {
  fixture = await openDashboard({ seed: false });
});
after(() => fixture[Symbol.asyncDispose]());

const plan = (page: Page) => page.getByRole('dialog').getByRole('region', { name: 'Plan' });

describe('the plan of a change', () => {
  it('is shown before changed settings are saved and deployed', async () => {
    const { app } = await deployedApp(fixture.daemon);
    await using visited = await fixture.visit(`/projects/${app.reference}/settings?section=health`);
    const { page } = visited;
    await page.getByLabel('Path', { exact: true }).fill('/ready');
    await page.getByRole('button', { name: 'Save and deploy…' }).click(WAIT);
    await plan(page).getByText('Steps').waitFor(WAIT);
    await plan(page)
      .getByText(/\/ready/)
      .first()
      .waitFor(WAIT);
    const read = () => fixture.daemon.client.getApp({ params: paramsOf(app) });
    assert.equal((await read()).revision, app.revision, 'nothing is changed by it');
    await page.getByRole('dialog').getByRole('button', { name: 'Save and deploy', exact: true }).click(WAIT);
    await page.waitForURL(/\/deployments\/\d+$/, WAIT);
    assert.equal((await read()).health.path, '/ready');
  });

  it('names each app that changed project variables would deploy', inLong, async () => {
    const { app } = await deployedApp(fixture.daemon);
    const { project } = paramsOf(app);
    await using visited = await fixture.visit(`/projects/${project}/settings?add=1`);
    const { page } = visited;
    await page.getByLabel('Name', { exact: true }).fill('LOG_LEVEL');
    await page.getByLabel('Value', { exact: true }).fill('debug');
    await page.getByRole('button', { name: 'Add', exact: true }).click(WAIT);
    await page.getByRole('button', { name: 'Review and save…' }).click(WAIT);
    await plan(page).getByText(`Deployment of ${app.reference}`).click(WAIT);
    await plan(page).getByText('Steps').waitFor(WAIT);
    await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click(WAIT);
    const { vars } = await fixture.daemon.client.getProjectEnv({ params: { project } });
    assert.deepEqual(vars, {});
  });

  it('shows the reason and disables saving if the change cannot be deployed', inLong, async () => {
    const { app } = await deployedApp(fixture.daemon);
    await using visited = await fixture.visit(`/projects/${app.reference}/settings?section=health`);
    const { page } = visited;
    visited.expectRefusal(400);
    await page.getByLabel('Path', { exact: true }).fill('no slash');
    await page.getByRole('button', { name: 'Save and deploy…' }).click(WAIT);
    await plan(page)
      .getByText(/must start with “\/”/)
      .waitFor(WAIT);
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Save and deploy', exact: true });
    assert.equal(await confirm.getAttribute('aria-disabled'), 'true');
  });
});

it('app settings remove a configured port if the field is cleared', inLong, async () => {
  const app = await newApp(fixture.daemon, { port: 3000 });
  await using visited = await fixture.visit(`/projects/${app.reference}/settings?section=source`);
  const { page } = visited;
  const port = page.getByLabel('Port', { exact: true });
  await port.fill('');
  await page.getByRole('button', { name: 'Save', exact: true }).click(WAIT);
  await page
    .getByText(/^Saved/)
    .first()
    .waitFor(WAIT);
  assert.equal('port' in (await fixture.daemon.client.getApp({ params: paramsOf(app) })), false);
  assert.equal(await port.inputValue(), '');
});

it('the overview reads server metrics again on an instance without apps', inLong, async () => {
  await using bare = await openDashboard({ seed: false });
  await using visited = await bare.visit('/');
  const { page, asked } = visited;
  await page.getByText('Live', { exact: true }).first().waitFor(WAIT);
  const reads = () => asked.filter((one) => one === 'GET /api/instance/metrics').length;
  await page.getByRole('heading', { name: 'Server' }).waitFor(WAIT);
  const before = reads();
  const deadline = Date.now() + 60_000;
  // The daemon samples metrics every ten seconds. Only the event of a sample makes the page read the metrics again.
  while (reads() === before && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok(reads() > before);
});

it('the users page shows when a user was last seen, or never', inLong, async () => {
  await fixture.daemon.client.createUser({ body: { username: 'never-signed-in', role: 'viewer' } });
  await using visited = await fixture.visit('/users');
  const { page } = visited;
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('never-signed-in').getByText('never', { exact: true }).waitFor(WAIT);
  await row('admin').locator('time').first().waitFor(WAIT);
  assert.equal(await row('admin').locator('time').count(), 2);
});
