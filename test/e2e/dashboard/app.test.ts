/** An app's overview and its deployments in a real browser: live updates, permissions and errors. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { appFieldsOf, PUSHED, paramsOf, SEEDED, seedRegistry } from '@davit/testkit';
import {
  type DashboardBrowser,
  type DashboardVisit,
  openDashboard,
  type VisitOptions,
} from '../../support/dashboard-browser.ts';
import { looksRight } from '../../support/dashboard-looks.ts';
import { inLong, someOf } from '../../support/tiers.ts';

const PATIENCE_MS = 60_000;
const NEVER = 'shop/production/hello';

describe('the pages of an app', () => {
  let fixture: DashboardBrowser;
  before(async () => {
    fixture = await openDashboard();
    await seedRegistry(fixture.daemon);
    await fixture.daemon.client.createApp({ body: { ...appFieldsOf(NEVER), source: 'registry', port: 8080 } });
  });
  after(() => fixture[Symbol.asyncDispose]());

  async function visit(path: string, options?: VisitOptions): Promise<DashboardVisit> {
    const visited = await fixture.visit(path, options);
    visited.page.setDefaultTimeout(PATIENCE_MS);
    return visited;
  }
  const read = (reference: string) => fixture.daemon.client.getApp({ params: paramsOf(reference) });

  it('show the app’s hosts, live tag and replicas', async () => {
    await using visited = await visit(`/projects/${SEEDED.web}`);
    const { page } = visited;
    await page.getByRole('heading', { level: 1, name: 'web' }).waitFor();
    const { replicas, suggested_host } = await read(SEEDED.web);
    const hosts = await page.getByRole('listitem').getByRole('link', { name: 'opens in a new tab' }).all();
    const opened = await Promise.all(hosts.map((link) => link.getAttribute('href')));
    assert.deepEqual(opened, ['http://shop.example.com/', `http://${suggested_host}/`]);
    await page.getByText('v3', { exact: true }).waitFor();
    for (const { name } of replicas) await page.getByText(name, { exact: true }).waitFor();
    const current = page.getByRole('navigation', { name: 'App' }).locator('[aria-current=page]');
    assert.equal(await current.textContent(), 'Overview');
  });

  it('show live metrics as charts, text and table rows', async () => {
    await using visited = await visit(`/projects/${SEEDED.web}?window=1h&figures=table`);
    const { page } = visited;
    const cpu = page.getByRole('figure').filter({ hasText: 'CPU (% of one core)' });
    await cpu.locator('canvas').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    // A rate requires two samples.
    await fixture.daemon.core.metrics.sample();
    await fixture.daemon.core.metrics.sample();
    await cpu.getByText(/^CPU: now \d.*maximum/).waitFor({ state: 'attached' });
    assert.equal(await page.getByRole('table', { name: 'Metrics' }).getByRole('row').count(), 25);
    await page.getByRole('link', { name: '24h' }).click();
    await page.waitForURL('**window=24h**');
    await page.locator('canvas').nth(5).waitFor();
  });

  it('explain how to create the first deployment of an app without deployments', inLong, async () => {
    await using visited = await visit(`/projects/${NEVER}`);
    const { page } = visited;
    await page.getByText(`davit deploy ${NEVER} --tag v1`).waitFor();
    const { address } = await fixture.daemon.client.getOwnRegistry();
    await page.getByText(`docker push ${address}/${NEVER}:v1`).waitFor();
    await page.getByText('No deployments yet').waitFor();
    assert.equal(await page.locator('canvas').count(), 0);
    await page.getByRole('link', { name: 'Create an API key' }).click();
    await page.getByRole('dialog', { name: 'New API key' }).waitFor();
    assert.equal(await page.getByRole('radio', { name: 'member' }).isChecked(), true);
  });

  it('tell a viewer who can create the first deployment', inLong, async () => {
    await using visited = await visit(`/projects/${NEVER}`, { role: 'viewer' });
    const { page } = visited;
    await page.getByText('Ask a user with the role member or admin to deploy this app.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Create an API key' }).count(), 0);
    assert.equal(await page.getByText('docker push').count(), 0);
  });

  it('show on the overview that the last deployment failed', async () => {
    await using visited = await visit(`/projects/${SEEDED.api}`);
    const { page } = visited;
    const failed = page.getByRole('alert').filter({ hasText: 'The last deployment failed' });
    await failed.getByRole('link', { name: 'View deployment' }).click();
    await page.waitForURL(/\/deployments\/\d+$/);
  });

  it('follow a deployment from another client without a reload', inLong, async () => {
    await using visited = await visit(`/projects/${SEEDED.broken}/deployments`);
    const { page } = visited;
    const rows = page.getByRole('table', { name: 'Deployments' }).getByRole('row');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.evaluate('window.isTheSame = true');
    const gate = fixture.daemon.engine.controls.pause('start');
    await fixture.daemon.client.deployApp({ params: paramsOf(SEEDED.broken), body: { tag: 'v2' } });
    await rows.nth(1).getByText('running', { exact: true }).waitFor();
    gate.open();
    await rows.nth(1).getByText('live', { exact: true }).waitFor();
    await page.getByRole('banner').or(page.locator('header')).getByText('running', { exact: true }).first().waitFor();
    assert.equal(await page.evaluate('window.isTheSame'), true);
  });

  it('filter the deployments by status and text, with the filters in the URL', inLong, async () => {
    await using visited = await visit(`/projects/${SEEDED.api}/deployments?status=failed`);
    const { page } = visited;
    const rows = page.getByRole('table', { name: 'Deployments' }).getByRole('row');
    await rows.nth(1).getByText('2026.12-crash').waitFor();
    assert.equal(await rows.count(), 2);
    await page.getByLabel('Status').selectOption('any status');
    await page.getByLabel('Filter by tag, digest or user').fill('2026.1');
    await page.waitForURL('**q=2026.1');
    await rows.nth(3).waitFor();
    await page.getByLabel('Filter by tag, digest or user').fill('nothing like it');
    await page.getByText('No matching deployments').waitFor();
  });

  it('show changed settings before the deployment and on the deployment page', inLong, async () => {
    const params = paramsOf(SEEDED.worker);
    await fixture.daemon.client.patchApp({ params, body: { stop: { drain_s: 7 } } });
    await using viewing = await visit(`/projects/${SEEDED.worker}`, { role: 'viewer' });
    const refused = viewing.page.getByRole('button', { name: 'Deploy changes…' });
    assert.equal(await refused.getAttribute('aria-disabled'), 'true');
    await using pending = await visit(`/projects/${SEEDED.worker}`);
    await pending.page.getByRole('link', { name: 'Deploy changes…' }).click();
    const dialog = pending.page.getByRole('dialog', { name: 'Deploy worker' });
    await dialog.getByText('stop.drain_s changes from 30 to 7.').waitFor();
    await dialog.getByRole('button', { name: 'Deploy v1' }).click();
    const changed = pending.page.getByRole('table', { name: 'Changes' }).getByRole('row').nth(1);
    await changed.waitFor();
    assert.match((await changed.textContent()) ?? '', /stop\.drain_s.*30.*7/);
  });

  it('show a failed deployment to a viewer and let a member delete its record', inLong, async () => {
    const [failed] = (await fixture.daemon.client.listDeployments({ params: paramsOf(SEEDED.api) })).filter(
      ({ status }) => status === 'failed',
    );
    const path = `/projects/${SEEDED.api}/deployments/${failed?.id}`;
    await using viewing = await visit(path, { role: 'viewer' });
    viewing.expectRefusal(404);
    await viewing.page.getByText('fatal: this example crashes').waitFor();
    const button = viewing.page.getByRole('button', { name: 'Delete record…' });
    assert.equal(await button.getAttribute('aria-disabled'), 'true');

    await using visited = await visit(path, { role: 'member' });
    const { page } = visited;
    // The page may request the record again after the event of the deletion, before the page is left.
    visited.expectRefusal(404);
    await page.getByRole('button', { name: 'Delete record…' }).click();
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByRole('button', { name: 'Delete record' }).getAttribute('aria-disabled'), 'true');
    await dialog.getByLabel(`Type “${failed?.id}” to confirm`).fill(String(failed?.id));
    await dialog.getByRole('button', { name: 'Delete record' }).click();
    await page.waitForURL(`**/projects/${SEEDED.api}/deployments`);
    await page.getByRole('table', { name: 'Deployments' }).waitFor();
    await page.getByText('2026.12-crash').first().waitFor({ state: 'detached' });
    await viewing.page.getByRole('heading', { name: 'Not found' }).waitFor();
  });

  it('stop the app after an explanation and start the app again', async () => {
    await using visited = await visit(`/projects/${SEEDED.stagedWeb}`);
    const { page } = visited;
    await page.getByRole('button', { name: 'More for web' }).click();
    await page.getByRole('menuitem', { name: 'Stop…' }).click();
    await page.getByText('All replicas stop').waitFor();
    await page.getByRole('button', { name: 'Stop app' }).click();
    await page.getByText('Stopped web.').waitFor();
    await page.getByRole('button', { name: 'More for web' }).click();
    await page.getByRole('menuitem', { name: 'Start', exact: true }).click();
    await page.getByText('started by admin, in the dashboard').waitFor();
    await fixture.daemon.settled();
    assert.equal((await read(SEEDED.stagedWeb)).status, 'running');
  });

  it('show a single Not found page for a missing app, without other errors', async () => {
    await using visited = await visit('/projects/shop/production/nowhere');
    visited.expectRefusal(404);
    const { page } = visited;
    for (const tab of ['', '/deployments', '/logs', '/terminal', '/environment', '/settings']) {
      await page.goto(`/projects/shop/production/nowhere${tab}`);
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
    }
    visited.check();
  });

  it('show Not found for an unknown deployment and for a deleted app', inLong, async () => {
    await using wrong = await visit(`/projects/${SEEDED.web}`);
    wrong.expectRefusal(404);
    await wrong.page.goto(`/projects/${SEEDED.web}/deployments/999999`);
    await wrong.page.getByRole('heading', { name: 'Not found' }).waitFor();

    const gone = 'shop/staging/gone-soon';
    await fixture.daemon.client.createApp({ body: { ...appFieldsOf(gone), source: 'image', image: 'example/gone' } });
    await using visited = await visit(`/projects/${gone}?deploy=1&tag=v1`);
    visited.expectRefusal(404);
    const { page } = visited;
    await page.getByText('becomes the first release').waitFor();
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
    await fixture.daemon.client.deleteApp({ params: paramsOf(gone) });
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
  });

  it('have no accessibility problems or overflow, wide and narrow, light and dark', async () => {
    const [newest] = await fixture.daemon.client.listDeployments({ params: paramsOf(SEEDED.stagedWeb) });
    const pages = [
      [`/projects/${SEEDED.web}?figures=table`, 'Metrics'],
      [`/projects/${SEEDED.web}/deployments`, '#1 ·'],
      [`/projects/${SEEDED.stagedWeb}/deployments/${newest?.id}`, 'Switch the traffic'],
      [`/projects/${NEVER}`, 'No deployments yet'],
      [`/projects/${SEEDED.web}?deploy=1`, 'Steps'],
      [`/projects/${SEEDED.web}?rollback=previous`, 'Steps'],
      [`/projects/${SEEDED.web}?promote=1`, 'Steps'],
      [`/projects/${PUSHED.app}?deploy=1`, 'Steps'],
    ] as const;
    for (const [path, words] of someOf(pages, 3)) {
      await looksRight(fixture, path, { ready: (page) => page.getByText(words).first().waitFor() });
    }
  });

  it('keep the deploy form open with an error if the instance does not respond', inLong, async () => {
    await using visited = await visit(`/projects/${SEEDED.web}?deploy=1&tag=v7`);
    const { page } = visited;
    visited.expectRefusal(0);
    const dialog = page.getByRole('dialog', { name: 'Deploy web' });
    await dialog.getByText('The tag changes from v3 to v7.').waitFor();
    await fixture.daemon.stop();
    await dialog.getByRole('button', { name: 'Deploy v7' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Deploy v7' }).waitFor();
    await fixture.daemon.start();
    assert.equal((await read(SEEDED.web)).live_tag, 'v3');
  });
});
