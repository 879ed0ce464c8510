/** Projects and environments in a real browser: their contents, and the creation of projects, environments and apps. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { looksRight } from '../../support/dashboard-looks.ts';
import { becomesTrue } from '../../support/pages.ts';
import { inLong, someOf } from '../../support/tiers.ts';

const PAGES = ['/projects', '/projects/shop', '/projects/shop/production'];
const FORMS = [
  '/projects?new=project',
  '/projects/shop?new=environment',
  '/projects/shop/production?new=app',
  '/projects/shop/staging?promote=1',
];

let fixture: DashboardBrowser;
before(async () => {
  fixture = await openDashboard();
});
after(() => fixture[Symbol.asyncDispose]());

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

describe('creating projects, environments and apps', () => {
  it('creates a project, an environment and an app, with validation while typing', async () => {
    await using visited = await fixture.visit('/projects?new=project');
    const { page } = visited;
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Not A Name');
    await page
      .getByText('Use lowercase letters, digits and hyphens. Start and end with a letter or a digit.', { exact: true })
      .waitFor();
    await name.fill('lab');
    await page.getByRole('button', { name: 'Create project' }).click();
    await heading(page, 'lab').waitFor();
    await page.getByRole('button', { name: 'New environment…' }).click();
    await name.fill('staging');
    await page.keyboard.press('Enter');
    await heading(page, 'staging').waitFor();
    await page.getByText('davit init --app lab/staging/web', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'New app…' }).first().click();
    await name.fill('site');
    await page.getByRole('textbox', { name: 'Image' }).fill('example/site:v7');
    const tag = page.getByRole('textbox', { name: 'First tag' });
    await tag.click();
    assert.equal(await tag.inputValue(), 'v7');
    await page.keyboard.type('v8');
    assert.equal(await tag.inputValue(), 'v8', 'a typed tag replaces the moved tag');
    await page.getByRole('textbox', { name: 'Port' }).fill('8080');
    await page.getByRole('button', { name: 'Create app and show plan' }).click();
    await page.waitForURL(/\/projects\/lab\/staging\/site\?.*deploy=.*tag=v8/);
    await page.getByRole('dialog', { name: /Deploy/ }).waitFor();
    const app = await fixture.daemon.client.getApp({ params: { project: 'lab', environment: 'staging', app: 'site' } });
    assert.deepEqual([app.image, app.port, app.status], ['example/site', 8080, 'pending']);
  });

  it('shows a server error at its field', inLong, async () => {
    await using visited = await fixture.visit('/projects?new=project');
    visited.expectRefusal(409, 400);
    const { page } = visited;
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('shop');
    await page.keyboard.press('Enter');
    const taken = 'A project with the name shop already exists. Choose another name.';
    await page.getByRole('alert').filter({ hasText: taken }).waitFor();
    assert.equal(await name.getAttribute('aria-invalid'), 'true');

    await page.goto('/projects/shop/production?new=app');
    await name.fill('other');
    await page.getByRole('textbox', { name: 'Image' }).fill('Not/An Image');
    await page.getByRole('button', { name: 'Create app' }).click();
    await page.getByRole('alert').filter({ hasText: 'must be an image repository' }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Image' }).getAttribute('aria-invalid'), 'true');
  });

  it('shows an error while the browser is offline and succeeds afterwards', inLong, async () => {
    await using visited = await fixture.visit('/projects?new=project');
    visited.expectRefusal(0);
    const { page } = visited;
    await page.getByRole('textbox', { name: 'Name' }).fill('later');
    await visited.context.setOffline(true);
    await page.getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('dialog').getByRole('alert').first().waitFor();
    await visited.context.setOffline(false);
    await page.getByRole('button', { name: 'Create project' }).click();
    await heading(page, 'later').waitFor();
  });

  it('is disabled for roles without permission, with the reason shown', inLong, async () => {
    for (const [role, reason] of someOf([
      ['viewer', 'This operation requires the role admin, but your role is viewer. Ask an admin to do it.'],
      ['member', 'This operation requires the role admin, but your role is member. Ask an admin to do it.'],
    ] as const)) {
      await using visited = await fixture.visit('/projects', { role });
      const { page } = visited;
      const button = page.getByRole('button', { name: 'New project…' });
      assert.equal(await button.getAttribute('aria-disabled'), 'true');
      await button.focus();
      await page.getByText(reason).waitFor();
      const app = page.getByRole('button', { name: 'New app…' });
      assert.equal(await app.getAttribute('aria-disabled'), role === 'viewer' ? 'true' : null);
    }
  });
});

describe('the environment page', () => {
  it('lists apps with status and hosts and links to the deploy form', inLong, async () => {
    await using visited = await fixture.visit('/projects/shop/production');
    const { page } = visited;
    const table = page.getByRole('table', { name: 'Apps' });
    const web = table.getByRole('row').filter({ hasText: 'web' });
    assert.match((await web.textContent()) ?? '', /running.*v3.*undeployed changes.*2 of 2.*shop\.example\.com/);
    assert.equal(
      await web.getByRole('link', { name: /shop\.example\.com/ }).getAttribute('href'),
      'http://shop.example.com/',
    );
    await table.getByRole('row').filter({ hasText: 'v1' }).getByText('worker', { exact: true }).last().waitFor();
    await table.getByRole('link', { name: 'Deploy… api' }).click();
    await page.waitForURL(/\/projects\/shop\/production\/api\?deploy=/);
  });

  it('promotes the live release of another environment after a preview of the plan', async () => {
    await using visited = await fixture.visit('/projects/shop/staging');
    const { page } = visited;
    await page.getByRole('button', { name: 'Promote…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Promote to staging' });
    const choice = dialog.getByRole('checkbox', { name: 'web' });
    await choice.waitFor();
    await dialog.getByText(/The tag changes from \S+ to v3\./).waitFor();
    await choice.uncheck();
    assert.equal(
      await dialog.getByRole('button', { name: 'Promote', exact: true }).getAttribute('aria-disabled'),
      'true',
    );
    await choice.check();
    await dialog.getByRole('button', { name: 'Promote 1 app' }).click();
    await dialog.getByRole('list', { name: 'Deployments' }).getByText('succeeded').waitFor({ timeout: 60_000 });
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page
      .getByRole('table', { name: 'Apps' })
      .getByRole('row')
      .filter({ hasText: 'v3' })
      .waitFor({ timeout: 60_000 });
  });

  it('explains why no app can be promoted', inLong, async () => {
    await using visited = await fixture.visit('/projects/shop/staging?promote=1');
    const { page } = visited;
    const dialog = page.getByRole('dialog', { name: 'Promote to staging' });
    await dialog
      .getByText(/already|same/i)
      .first()
      .waitFor();
  });

  it('reports an environment that does not exist', inLong, async () => {
    await using visited = await fixture.visit('/projects/shop/nowhere');
    visited.expectRefusal(404);
    await visited.page
      .getByText(/This environment does not exist|Not found/)
      .first()
      .waitFor();
  });
});

describe('the project pages', () => {
  for (const path of PAGES) {
    it(`have no accessibility problems or overflow: ${path}`, () =>
      looksRight(fixture, path, { ready: (page) => page.getByRole('heading', { level: 1 }).waitFor() }));
  }
  for (const path of someOf(FORMS)) {
    it(`have no accessibility problems or overflow with an open form: ${path}`, () =>
      looksRight(fixture, path, { ready: (page) => page.getByRole('dialog').waitFor() }));
  }

  it('let the keyboard alone open, fill and close the app form', inLong, async () => {
    await using visited = await fixture.visit('/projects/shop/production');
    const { page } = visited;
    await page.getByRole('button', { name: 'New app…' }).focus();
    await page.keyboard.press('Enter');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.waitFor();
    await becomesTrue(page, "document.activeElement?.tagName === 'INPUT'");
    await page.keyboard.type('keys');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.getByRole('radio', { name: 'Image pushed to this instance' }).isChecked(), true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.doesNotMatch(page.url(), /new=/);
  });
});
