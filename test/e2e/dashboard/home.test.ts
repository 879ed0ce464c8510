/** The overview page in a real browser: the apps, current issues, and live updates. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { EXAMPLE_LABEL } from '@davit/api';
import { SEEDED, seedRegistry, type TestDaemon } from '@davit/testkit';
import type { Page } from 'playwright-core';
import { appPath } from '../../../packages/dashboard/src/paths.ts';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { looksRight } from '../../support/dashboard-looks.ts';
import { barriers, finds } from '../../support/pages.ts';
import { inLong } from '../../support/tiers.ts';

let fixture: DashboardBrowser;
before(async () => {
  fixture = await openDashboard();
  await seedRegistry(fixture.daemon);
});
after(() => fixture[Symbol.asyncDispose]());

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const row = (page: Page, app: string) => page.getByRole('list', { name: 'Apps' }).getByRole('link', { name: app });

/** Kills all replicas of an app and makes each restarted replica exit again. */
async function takeDown(daemon: TestDaemon, reference: string): Promise<void> {
  const { replicas } = await daemon.client.getApp({ params: appPath(reference) });
  const names = replicas.map(({ name }) => name);
  const { controls } = daemon.engine;
  for (const { id, name, behaviour } of controls.containers()) {
    if (!names.includes(name)) continue;
    behaviour.exit = { exitCode: 1, oomKilled: false };
    controls.kill(id);
  }
  const status = async () => (await daemon.client.getApp({ params: appPath(reference) })).status;
  await finds(status, (one) => one === 'down', 'down');
}

describe('the overview page', () => {
  it('lists apps with status and live tag and links to their pages', async () => {
    await using visited = await fixture.visit('/');
    const { page } = visited;
    await heading(page, 'Overview').waitFor();
    const web = row(page, 'shop/production/web');
    assert.match((await web.textContent()) ?? '', /running.*v3.*2 of 2/);
    assert.match((await row(page, SEEDED.fresh).textContent()) ?? '', /pending/);
    await web.click();
    await heading(page, 'web').waitFor();
    assert.equal(new URL(page.url()).pathname, '/projects/shop/production/web');
  });

  it('lists an issue with a link to its page', async () => {
    await using visited = await fixture.visit('/');
    const { page } = visited;
    const wrong = page.getByRole('region', { name: 'Issues' });
    await wrong
      .getByText('The last deployment of shop/production/api failed (2026.12-crash)', { exact: true })
      .waitFor();
    await wrong.getByRole('link', { name: /^View error.*shop\/production\/api/ }).click();
    await page.waitForURL(/\/projects\/shop\/production\/api\/deployments\/\d+$/);
  });

  it('filters the apps by text and keeps the filter in the URL', async () => {
    await using visited = await fixture.visit('/');
    const { page } = visited;
    await page.getByRole('searchbox', { name: 'Filter apps' }).fill('staging');
    await page.waitForURL(/filter=staging/);
    await row(page, 'shop/production/web').waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('list', { name: 'Apps' }).getByRole('listitem').count(), 1);
    await page.getByRole('searchbox', { name: 'Filter apps' }).fill('no such app');
    await page.getByText('No app with “no such app” in the name, status or tag.').waitFor();
  });

  it('shows a deployment from another client without a reload', inLong, async () => {
    await using visited = await fixture.visit('/');
    const { page } = visited;
    await row(page, SEEDED.stagedWeb).waitFor();
    await page
      .getByRole('button', { name: /^Live/ })
      .or(page.getByText('Live', { exact: true }))
      .first()
      .waitFor();
    const params = { project: 'shop', environment: 'staging', app: 'web' };
    await fixture.daemon.client.deployApp({ params, query: { wait: 'true' }, body: { tag: 'v9' } });
    await row(page, SEEDED.stagedWeb).filter({ hasText: 'v9' }).waitFor({ timeout: 60_000 });
    await page.getByRole('link', { name: /web shop\/staging.*v9/s }).waitFor({ timeout: 60_000 });
  });

  it('explains how to create the first app on an instance without apps', inLong, async () => {
    await using empty = await openDashboard({ seed: false });
    await using visited = await empty.visit('/');
    const { page } = visited;
    await page.getByRole('heading', { name: 'Create your first app' }).waitFor();
    await page.getByText(`davit login ${empty.daemon.url}`, { exact: true }).waitFor();
    await page.getByText('docker push localhost:5000/demo/production/web:v1', { exact: true }).waitFor();
    assert.deepEqual(await barriers(page), []);
    await page.goto('/projects');
    await page.getByText('davit project create shop').waitFor();
    await page.goto('/');
    await page.getByRole('button', { name: 'New project…' }).last().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('acme');
    await page.keyboard.press('Enter');
    await heading(page, 'acme').waitFor();
    await page.goto('/');
    await page.getByText('davit init --app acme/production/web', { exact: true }).waitFor();
  });

  it('does not report that all is well before all parts are checked', inLong, async () => {
    await using empty = await openDashboard({ seed: false });
    await using visited = await empty.visit('/help');
    const { page, context } = visited;
    const held = Promise.withResolvers<void>();
    await context.route('**/api/{registry,certificates}', async (route) => {
      await held.promise;
      await route.continue();
    });
    // Warnings about the test machine would be shown instead.
    await context.route('**/api/instance', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), warnings: [] } });
    });
    await page.goto('/');
    await page.getByText('Checking…', { exact: true }).waitFor();
    // The cards below do not wait longer than a second for the checks.
    await page.getByRole('heading', { name: 'Create your first app' }).waitFor();
    assert.equal(await page.getByText('All systems normal.').count(), 0);
    held.resolve();
    await page.getByText('Checking…', { exact: true }).waitFor({ state: 'detached' });
    // An event may have started another request, which would fail when the page closes.
    await context.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('reports that it could not check a part of the instance', inLong, async () => {
    await using empty = await openDashboard({ seed: false });
    await using visited = await empty.visit('/help');
    visited.expectRefusal(403);
    const { page, context } = visited;
    const body = JSON.stringify({ code: 'forbidden', detail: 'The test refuses this request.' });
    await context.route('**/api/certificates', (route) =>
      route.fulfill({ status: 403, contentType: 'application/problem+json', body }),
    );
    await page.goto('/');
    const issues = page.getByRole('region', { name: 'Issues' });
    await issues.getByText('Cannot check all parts of the instance', { exact: true }).waitFor();
    await issues.getByText('The test refuses this request.', { exact: true }).waitFor();
  });

  it('reports that the container engine does not respond', inLong, async () => {
    await using other = await openDashboard();
    const { client, engine } = other.daemon;
    engine.controls.setAvailable(false);
    await finds(
      async () => (await client.getInstance()).engine.available,
      (available) => !available,
      'an engine that is away',
    );
    await using visited = await other.visit('/');
    await visited.page.getByText('Docker does not respond', { exact: true }).waitFor();
  });
});

describe('the overview page with the example app', () => {
  const PATH = { project: 'demo', environment: 'production', app: 'hello' };

  async function withExample(): Promise<DashboardBrowser> {
    const opened = await openDashboard({ seed: false });
    const { client } = opened.daemon;
    await client.createProject({ body: { slug: PATH.project } });
    const image = { source: 'image', image: 'davit-hello', port: 8080 } as const;
    await client.createApp({
      body: { ...image, project: 'demo', environment: 'production', name: 'hello', labels: { [EXAMPLE_LABEL]: '' } },
    });
    await client.deployApp({ params: PATH, query: { wait: 'true' }, body: { tag: '1.0' } });
    return opened;
  }

  async function remove(page: Page, says: string): Promise<void> {
    await page.getByRole('button', { name: 'Remove the example app…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove the example app?' });
    await dialog.getByText(says).waitFor();
    assert.deepEqual(await barriers(page), []);
    await dialog.getByRole('button', { name: 'Remove the example app', exact: true }).click();
    await page.getByRole('heading', { name: 'Create your first app' }).waitFor({ timeout: 60_000 });
    await dialog.waitFor({ state: 'detached' });
  }

  it('removes the example app together with the project that contains nothing else', async () => {
    await using opened = await withExample();
    await using visited = await opened.visit('/');

    await remove(visited.page, 'app demo/production/hello');

    const projects = async () => (await opened.daemon.client.listProjects()).map(({ slug }) => slug);
    await finds(projects, (slugs) => slugs.length === 0, 'no project');
  });

  it('keeps the project of the example app if it contains something else', async () => {
    await using opened = await withExample();
    await opened.daemon.client.setProjectEnv({ params: { project: 'demo' }, body: { set: { COLOR: 'green' } } });
    await using visited = await opened.visit('/');

    await remove(visited.page, 'The project demo stays, because it contains other resources or settings.');

    assert.deepEqual(
      (await opened.daemon.client.listProjects()).map(({ slug }) => slug),
      ['demo'],
    );
  });

  it('lets a member remove only the app, and a viewer nothing', inLong, async () => {
    await using opened = await withExample();
    await using viewer = await opened.visit('/', { role: 'viewer' });
    const button = viewer.page.getByRole('button', { name: 'Remove the example app…' });
    await button.waitFor();
    assert.equal(await button.getAttribute('aria-disabled'), 'true');
    await using member = await opened.visit('/', { role: 'member' });

    await remove(member.page, 'The project demo stays, because only admins can delete a project.');
  });
});

describe('the overview page with an app that goes down', () => {
  it('lists the app under the issues without a reload', inLong, async () => {
    await using visited = await fixture.visit('/');
    const { page } = visited;
    await row(page, SEEDED.broken).waitFor();
    await page.getByText('Live', { exact: true }).first().waitFor();
    await takeDown(fixture.daemon, SEEDED.broken);
    const wrong = page.getByRole('region', { name: 'Issues' });
    await wrong.getByText(`${SEEDED.broken} is down`, { exact: true }).waitFor({ timeout: 60_000 });
  });
});

it('the overview page has no accessibility problems or overflow', () =>
  looksRight(fixture, '/', { ready: (page) => page.getByRole('list', { name: 'Apps' }).waitFor() }));
