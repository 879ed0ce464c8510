/**
 * The dashboard while a laptop changes its network: the dashboard repeats interrupted downloads and requests, and every
 * page recovers.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SEEDED } from '@davit/testkit';
import { appPath } from '../../../packages/dashboard/src/paths.ts';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { inLong } from '../../support/tiers.ts';

/** Timeout for slow machines. */
const SLOW = { timeout: 60_000 };

describe('the dashboard on an unstable network', () => {
  let fixture: DashboardBrowser;
  before(async () => {
    fixture = await openDashboard();
  });
  after(() => fixture[Symbol.asyncDispose]());

  it('loads interrupted files again and shows the page', inLong, async () => {
    await using visited = await fixture.visit('/');
    visited.expectRefusal(0);
    const { page, context } = visited;
    await page.locator('[data-live=live]').waitFor(SLOW);
    let broken = 0;
    await context.route('**/assets/registry-*.js', (route) => {
      if (broken === 2) return route.continue();
      broken += 1;
      return route.abort('internetdisconnected');
    });
    await page.getByRole('link', { name: 'Registry' }).click();
    await page.getByRole('heading', { level: 1, name: 'Registry' }).waitFor(SLOW);
    assert.equal(broken, 2);
  });

  it('reports files that cannot be loaded and shows the page after a retry', inLong, async () => {
    await using visited = await fixture.visit('/', { complaints: /Cannot load/ });
    visited.expectRefusal(0);
    const { page, context } = visited;
    await page.locator('[data-live=live]').waitFor(SLOW);
    await context.route('**/assets/*.js', (route) => route.abort('internetdisconnected'));
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('alert').getByText('Cannot load a part of the dashboard').waitFor(SLOW);
    await context.unroute('**/assets/*.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor(SLOW);

    await context.route('**/assets/*.js', (route) => route.abort('internetdisconnected'));
    await page.keyboard.press('Control+k');
    await page.getByRole('button', { name: 'Reload page' }).waitFor(SLOW);
    await context.unroute('**/assets/*.js');
    await page.getByRole('button', { name: 'Reload page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor(SLOW);
  });

  it('downloads each JavaScript file of a page once', async () => {
    await using visited = await fixture.visit('/help');
    const { page } = visited;
    await page.getByRole('heading', { level: 1 }).waitFor(SLOW);
    // Leave the page first, because it may still download files.
    await page.goto('about:blank');
    const downloads: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (request.resourceType() === 'fetch' && pathname.endsWith('.js')) downloads.push(pathname);
    });
    await page.goto(`/projects/${SEEDED.web}`);
    await page.locator('canvas').nth(5).waitFor(SLOW);
    assert.ok(downloads.some((path) => path.includes('/app-overview-')));
    assert.deepEqual(downloads.toSorted(), [...new Set(downloads)].toSorted());
    assert.ok(!downloads.some((path) => path.includes('/index-')), 'the main file is already loaded');
  });

  it('creates one deployment if the response to the request is lost', async () => {
    await using visited = await fixture.visit(`/projects/${SEEDED.fresh}?deploy=1&tag=v1`);
    visited.expectRefusal(0);
    const { page, context } = visited;
    const params = appPath(SEEDED.fresh);
    const before = await fixture.daemon.client.listDeployments({ params });
    let broken = false;
    await context.route(/\/deploy$/, async (route) => {
      if (broken) return route.continue();
      broken = true;
      // The instance carries out the request, but the browser does not receive the response.
      await route.fetch();
      await route.abort('internetdisconnected');
    });
    await page.getByRole('button', { name: 'Deploy v1' }).click(SLOW);
    await page.waitForURL(/\/deployments\/\d+$/, SLOW);
    await fixture.daemon.settled();
    const after = await fixture.daemon.client.listDeployments({ params });
    assert.equal(after.length, before.length + 1);
  });
});
