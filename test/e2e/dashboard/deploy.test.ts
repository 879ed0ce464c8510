/** Deployments in a real browser: the plan, the steps while they run, the result, rollback and cancellation. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Deployment } from '@davit/api';
import { PUSHED, paramsOf, SEEDED, seedRegistry } from '@davit/testkit';
import type { Page } from 'playwright-core';
import {
  type DashboardBrowser,
  type DashboardVisit,
  openDashboard,
  type VisitOptions,
} from '../../support/dashboard-browser.ts';
import { inLong } from '../../support/tiers.ts';

/** Timeout for slow machines, in milliseconds. */
const PATIENCE_MS = 60_000;

describe('deployments in the dashboard', () => {
  let fixture: DashboardBrowser;
  before(async () => {
    fixture = await openDashboard();
    await seedRegistry(fixture.daemon);
    // The app's tag is pinned, so that pushed tags are not deployed automatically.
    await fixture.daemon.client.patchApp({ params: paramsOf(PUSHED.app), body: { tag: '1.1' } });
  });
  after(() => fixture[Symbol.asyncDispose]());

  async function visit(path: string, options?: VisitOptions): Promise<DashboardVisit> {
    const visited = await fixture.visit(path, options);
    visited.page.setDefaultTimeout(PATIENCE_MS);
    return visited;
  }
  const deployments = (reference: string) => fixture.daemon.client.listDeployments({ params: paramsOf(reference) });
  const newest = async (reference: string) => (await deployments(reference))[0] as Deployment;

  it('show the plan before they start and each step while they run', async () => {
    await using visited = await visit(`${pageOf(SEEDED.web)}/logs`);
    const { page } = visited;
    await page.getByRole('button', { name: 'Deploy…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deploy web' });
    await dialog.getByLabel('Tag').fill('v8');
    await dialog.getByText('The tag changes from v3 to v8.').waitFor();
    await dialog.getByText('switch the traffic from v3').waitFor();
    assert.equal((await newest(SEEDED.web)).tag, 'v3');

    const gate = fixture.daemon.engine.controls.pause('start');
    await dialog.getByRole('button', { name: 'Deploy v8' }).click();
    await gate.reached;
    const { id } = await newest(SEEDED.web);
    await page.waitForURL(`**${pageOf(SEEDED.web)}/deployments/${id}`);
    await step(page, 'Start the new release', 'running').waitFor();
    await step(page, 'Create the replicas', 'done').waitFor();
    await step(page, 'Switch the traffic', 'pending').waitFor();
    const loads = visited.asked.length;
    gate.open();
    await step(page, 'Switch the traffic', 'done').waitFor();
    await status(page, id, 'succeeded').waitFor();
    await heading(page, id).getByText('live', { exact: true }).waitFor();
    assert.ok(visited.asked.length > loads, 'it is read again what an event does not say');
    assert.equal((await newest(SEEDED.web)).trigger.via, 'dashboard');
  });

  it('offer the images that were built on the server', async () => {
    const { client, engine } = fixture.daemon;
    const fields = { project: 'shop', environment: 'production', name: 'local' };
    await client.createApp({ body: { ...fields, source: 'image', image: 'davit-hello', port: 8080 } });
    for (const tag of ['1.0', '1.1']) engine.controls.addImage(`davit-hello:${tag}`, { digest: null });
    await using visited = await visit('/projects/shop/production/local?deploy=1');
    const { page } = visited;
    const dialog = page.getByRole('dialog', { name: 'Deploy local' });
    const built = dialog.getByRole('group', { name: 'Images on this server' });
    await built.getByRole('radio', { name: '1.1', exact: true }).click();
    assert.equal(await dialog.getByLabel('Tag').inputValue(), '1.1');
    await dialog.getByRole('button', { name: 'Deploy 1.1' }).click();
    await page.waitForURL(/\/deployments\/\d+$/);
    await status(page, (await newest('shop/production/local')).id, 'succeeded').waitFor();
  });

  it('say that only the newest 100 images on the server are listed', inLong, async () => {
    const { client, engine } = fixture.daemon;
    const fields = { project: 'shop', environment: 'production', name: 'many' };
    await client.createApp({ body: { ...fields, source: 'image', image: 'davit-many', port: 8080 } });
    const build = (tag: number) =>
      engine.controls.addImage(`davit-many:${tag}`, { digest: null, builtAt: tag * 1_000 });
    for (let tag = 1; tag <= 100; tag++) build(tag);
    await using complete = await visit('/projects/shop/production/many?deploy=1');
    const built = complete.page.getByRole('group', { name: 'Images on this server' });
    await built.getByRole('radio', { name: '1', exact: true }).waitFor();
    assert.equal(await built.getByText('Only the newest 100 images are listed.').count(), 0);

    build(101);
    await using cut = await visit('/projects/shop/production/many?deploy=1');
    const listed = cut.page.getByRole('group', { name: 'Images on this server' });
    await listed.getByText('Only the newest 100 images are listed.').waitFor();
    assert.equal(await listed.getByRole('radio', { name: '1', exact: true }).count(), 0);
  });

  it('are shown on the app’s page while they are running', inLong, async () => {
    await using visited = await visit(pageOf(SEEDED.broken));
    const { page } = visited;
    const gate = fixture.daemon.engine.controls.pause('start');
    await fixture.daemon.client.deployApp({ params: paramsOf(SEEDED.broken), body: { tag: 'v9' } });
    await gate.reached;
    const notice = page.getByRole('status').filter({ hasText: 'of v9 is running: starting.' });
    await notice.waitFor();
    const { id } = await newest(SEEDED.broken);
    assert.equal(
      await notice.getByRole('link', { name: 'View deployment' }).getAttribute('href'),
      `${pageOf(SEEDED.broken)}/deployments/${id}`,
    );
    gate.open();
    await notice.waitFor({ state: 'detached' });
  });

  it('show the error and the last log lines after a crash', async () => {
    await using visited = await visit(`${pageOf(SEEDED.stagedWeb)}?deploy=1&tag=v9-crash`);
    const { page } = visited;
    await page.getByRole('button', { name: 'Deploy v9-crash' }).click();
    await page.getByRole('heading', { name: 'Last log lines' }).waitFor();

    const { id, error } = await newest(SEEDED.stagedWeb);
    await status(page, id, 'failed').waitFor();
    await page
      .getByRole('alert')
      .getByText(error ?? '')
      .waitFor();
    await page.getByText('fatal: this example crashes').waitFor();
    await step(page, 'Wait for the health check', 'failed').waitFor();
    assert.equal(await page.getByText('pending').count(), 0);
    await page.getByRole('button', { name: 'Roll back to this release…' }).hover();
    await page.getByText('The deployment failed. You can only roll back to a successful deployment.').waitFor();
  });

  it('show the plan of a rollback and return to the selected earlier deployment', async () => {
    await using visited = await visit(pageOf(SEEDED.api));
    const { page } = visited;
    await page.getByRole('button', { name: 'Roll back…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Roll back api' });
    await dialog.getByText('The tag changes from 2026.11 to 2026.10.').waitFor();
    const [served] = (await deployments(SEEDED.api)).filter(({ tag }) => tag === '2026.10');
    await dialog.getByRole('radio', { name: '2026.10' }).click();
    await page.waitForURL(`**?rollback=${served?.id}`);
    await dialog.getByRole('button', { name: `Roll back to #${served?.id}` }).click();

    await page.getByText(`rolled back to #${served?.id} by admin, in the dashboard`).waitFor();
    const { id } = await newest(SEEDED.api);
    await status(page, id, 'succeeded').waitFor();
    await page.getByRole('link', { name: 'Deployments' }).first().click();
    const rows = page.getByRole('table', { name: 'Deployments' }).getByRole('row');
    await rows.nth(1).getByText('live', { exact: true }).waitFor();
    assert.match(
      (await rows.nth(1).textContent()) ?? '',
      new RegExp(`2026\\.10.*#${id}.*rolled back to #${served?.id}`),
    );
  });

  it('promote the live image of another environment', inLong, async () => {
    await using visited = await visit(pageOf(SEEDED.web));
    const { page } = visited;
    await page.getByRole('button', { name: 'More for web' }).click();
    await page.getByRole('menuitem', { name: 'Promote from…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Promote to production' });
    await dialog.getByText('Live tag: v4. Status: running.').waitFor();
    await dialog.getByText('example/web:v4', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Promote from staging' }).click();

    await page.getByText('promoted from shop/staging/web by admin').waitFor();
    const { id, tag, promoted_from } = await newest(SEEDED.web);
    await status(page, id, 'succeeded').waitFor();
    assert.deepEqual([tag, promoted_from?.app], ['v4', SEEDED.stagedWeb]);
  });

  it('can be canceled while running, and the live release stays', inLong, async () => {
    const gate = fixture.daemon.engine.controls.pause('start');
    await fixture.daemon.client.deployApp({ params: paramsOf(SEEDED.worker), body: { tag: 'v2' } });
    // A worker without a health check becomes ready after a delay, so the pause must be reached first.
    await gate.reached;
    const { id } = await newest(SEEDED.worker);
    await using visited = await visit(`${pageOf(SEEDED.worker)}/deployments/${id}`);
    const { page } = visited;
    await page.getByRole('button', { name: 'Cancel deployment…' }).click();
    const dialog = page.getByRole('dialog', { name: `Cancel deployment #${id}?` });
    await dialog.getByRole('button', { name: 'Cancel deployment' }).click();

    await status(page, id, 'cancelled').waitFor();
    await dialog.waitFor({ state: 'detached' });
    gate.open();
    assert.equal((await fixture.daemon.client.getApp({ params: paramsOf(SEEDED.worker) })).live_tag, 'v1');
  });

  it('run only once if the button is double-clicked', inLong, async () => {
    const earlier = await deployments(SEEDED.fresh);
    await using visited = await visit(`${pageOf(SEEDED.fresh)}?deploy=1&tag=v1`);
    const { page } = visited;
    await page.getByRole('button', { name: 'Deploy v1' }).dblclick();
    await page.waitForURL(`**${pageOf(SEEDED.fresh)}/deployments/*`);
    await fixture.daemon.settled();
    assert.equal((await deployments(SEEDED.fresh)).length, earlier.length + 1);
    assert.equal(
      visited.asked.filter((one) => one === `POST /api/apps/${SEEDED.fresh}/deploy`).length,
      2,
      'plan, deploy',
    );
  });

  it('offer pushed tags in a list and refuse a tag that does not exist', inLong, async () => {
    await using visited = await visit(`${pageOf(PUSHED.app)}?deploy=1`);
    const { page } = visited;
    const dialog = page.getByRole('dialog', { name: 'Deploy docs' });
    const live = dialog.getByRole('radio', { name: '1.1' });
    await live.waitFor();
    assert.ok(await live.isChecked());
    for (const mark of ['live', 'pinned']) await dialog.getByText(mark, { exact: true }).waitFor();
    await dialog
      .getByText(/pushed .* by admin/)
      .first()
      .waitFor();
    fixture.daemon.engine.controls.addImage(`localhost:${fixture.daemon.core.facts.ports.registry}/${PUSHED.app}:1.2`);
    await dialog.getByRole('radio', { name: '1.2' }).click();
    await dialog.getByText('The tag changes from 1.1 to 1.2.').waitFor();

    visited.expectRefusal(404);
    await page.goto(`${pageOf(PUSHED.app)}?deploy=1&tag=7.7`);
    await dialog.getByRole('alert').getByText('The registry of this instance has no image').waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Deploy 7.7' }).getAttribute('aria-disabled'), 'true');
  });

  it('cannot be started by a viewer, with the reason at each control', inLong, async () => {
    await using visited = await visit(pageOf(SEEDED.web), { role: 'viewer' });
    const { page } = visited;
    const why = 'This operation requires the role member, but your role is viewer. Ask an admin to do it.';
    for (const name of ['Deploy…', 'Roll back…']) {
      const button = page.getByRole('button', { name });
      assert.equal(await button.getAttribute('aria-disabled'), 'true');
      await button.hover();
      await page.getByText(why).last().waitFor();
    }
    await page.getByRole('button', { name: 'More for web' }).click();
    for (const name of ['Promote from…', 'Restart…', 'Stop…']) {
      const item = page.getByRole('menuitem', { name });
      await item.getByText(why).waitFor();
      assert.equal(await item.getAttribute('aria-disabled'), 'true');
    }
  });
});

function pageOf(reference: string): string {
  return `/projects/${reference}`;
}

function step(page: Page, says: string, word: string) {
  return page.getByRole('listitem').filter({ hasText: `${says}, ${word}` });
}

/** Returns the header line with the deployment's number and status. */
function heading(page: Page, id: number) {
  return page.getByRole('heading', { name: new RegExp(`^Deployment #${id} of`) }).locator('..');
}

function status(page: Page, id: number, word: string) {
  return heading(page, id).getByText(word, { exact: true });
}
