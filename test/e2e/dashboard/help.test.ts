/** The help pages in a real browser: errors link to their sections, and the pages need no session. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { doneOf } from '@davit/api';
import { ADMIN } from '@davit/testkit';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { looksRight } from '../../support/dashboard-looks.ts';
import { becomesTrue, PHONE } from '../../support/pages.ts';
import { inLong } from '../../support/tiers.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

/** Opens the help link of an error in its new tab, and checks that the section is at the top of the viewport. */
async function followsTo(page: Page, section: string, anchor: string): Promise<void> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'How to solve this' }).click();
  const help = await opened;
  await help.waitForURL(`**/help/solve-common-problems#${anchor}`);
  await heading(help, section).waitFor();
  const top = `document.getElementById(${JSON.stringify(anchor)}).getBoundingClientRect().top`;
  await becomesTrue(help, `${top} >= 48 && ${top} < 200`);
  await help.close();
}

describe('the help pages', () => {
  let fixture: DashboardBrowser;
  before(async () => {
    fixture = await openDashboard();
  });
  after(() => fixture[Symbol.asyncDispose]());

  it('explain the reason of a failed deployment through a link at the error', async () => {
    const params = { project: 'shop', environment: 'production', app: 'web' };
    await fixture.daemon.client.patchApp({ params, body: { health: { grace_s: 1 } } });
    const deployment = await fixture.daemon.client.deployApp({
      params,
      query: { wait: 'true' },
      body: { tag: 'never-ready' },
    });
    await using visited = await fixture.visit(`/projects/shop/production/web/deployments/${doneOf(deployment).id}`);
    await visited.page.getByText('did not become ready').first().waitFor();
    await followsTo(visited.page, 'Wrong port', 'wrong-port');
  });

  it('explain a name conflict through a link at the error', inLong, async () => {
    await using visited = await fixture.visit('/projects');
    visited.expectRefusal(409);
    const { page } = visited;
    await page.getByRole('button', { name: 'New project…' }).click();
    await page.getByLabel('Name').fill('shop');
    await page.getByRole('button', { name: 'Create project' }).click();
    await followsTo(page, 'Name or host taken', 'name-or-host-taken');
    assert.equal(await page.getByLabel('Name').inputValue(), 'shop', 'the form keeps its values');
  });

  it('can be opened from a failed sign-in without a session', async () => {
    await using visited = await fixture.visit('/sign-in', { role: null });
    visited.expectRefusal(401);
    const { page } = visited;
    await page.getByLabel('Username').fill(ADMIN.username);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await followsTo(page, 'Wrong API key or password', 'wrong-api-key-or-password');
  });

  it('send no request to the API, and link to each other', async () => {
    await using visited = await fixture.visit('/help', { role: null, viewport: PHONE });
    const { page, asked } = visited;
    await page.getByRole('link', { name: 'Solve common problems' }).click();
    await heading(page, 'Solve common problems').waitFor();
    await page.getByRole('link', { name: 'who can use a host' }).click();
    await page.waitForURL('**/help/connect-a-domain#who-can-use-a-host');
    await heading(page, 'Who can use a host').waitFor();
    await page.getByRole('link', { name: 'All help pages' }).click();
    await page.getByRole('link', { name: 'Glossary' }).click();
    await heading(page, 'Glossary').waitFor();
    await page.goto('/help/nothing');
    await heading(page, 'Page not found').waitFor();
    assert.deepEqual(
      asked.filter((request) => request.includes('/api/')),
      [],
    );
  });

  it('are linked from the main navigation and link back to the dashboard', async () => {
    await using visited = await fixture.visit('/');
    const { page } = visited;
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Help' }).click();
    await heading(page, 'Help').waitFor();
    await page.getByRole('link', { name: 'Open dashboard' }).click();
    await page.getByRole('link', { name: 'Glossary' }).click();
    await heading(page, 'Glossary').waitFor();
  });

  for (const path of ['/help', '/help/solve-common-problems', '/help/glossary', '/help/connect-a-domain']) {
    it(`have no accessibility problems or overflow at ${path}`, () =>
      looksRight(fixture, path, { ready: (page) => page.getByRole('heading', { level: 1 }).waitFor() }));
  }
});
