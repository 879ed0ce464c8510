/** The overview, projects and environments in a real browser: what runs, what is wrong, and how there comes to be more. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SEEDED, seedRegistry, type TestDaemon } from '@davit/testkit';
import type { Page } from 'playwright-core';
import { appPath } from '../../packages/dashboard/src/paths.ts';
import { type DashboardBrowser, openDashboard } from '../support/dashboard-browser.ts';
import { looksRight } from '../support/dashboard-looks.ts';
import { barriers } from '../support/pages.ts';

const PAGES = ['/', '/projects', '/projects/shop', '/projects/shop/production'];
const FORMS = [
  '/projects?new=project',
  '/projects/shop?new=environment',
  '/projects/shop/production?new=app',
  '/projects/shop/staging?promote=1',
];

let ground: DashboardBrowser;
before(async () => {
  ground = await openDashboard();
  await seedRegistry(ground.daemon);
});
after(() => ground[Symbol.asyncDispose]());

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
/** Waits for a condition that nobody announces. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isTrue())) assert.ok(Date.now() < deadline, 'it did not become true within a minute');
}

const row = (page: Page, app: string) => page.getByRole('list', { name: 'Apps' }).getByRole('link', { name: app });

/** What runs of an app ends, and ends again whenever the engine starts it. */
async function takeDown(daemon: TestDaemon, reference: string): Promise<void> {
  const { instances } = await daemon.client.getApp({ params: appPath(reference) });
  const names = instances.map(({ name }) => name);
  const { controls } = daemon.engine;
  for (const { id, name, behaviour } of controls.containers()) {
    if (!names.includes(name)) continue;
    behaviour.exit = { exitCode: 1, oomKilled: false };
    controls.kill(id);
  }
  await until(async () => (await daemon.client.getApp({ params: appPath(reference) })).status === 'down');
}

describe('the overview', () => {
  it('shows every app with its status and its live tag, and leads to it', async () => {
    await using visited = await ground.visit('/');
    const { page } = visited;
    await heading(page, 'Overview').waitFor();
    const web = row(page, 'shop/production/web');
    assert.match((await web.textContent()) ?? '', /running.*v3.*2 of 2/);
    assert.match((await row(page, SEEDED.fresh).textContent()) ?? '', /pending/);
    await web.click();
    await heading(page, 'web').waitFor();
    assert.equal(new URL(page.url()).pathname, '/projects/shop/production/web');
  });

  it('says what is wrong, each with the page where it is mended', async () => {
    await using visited = await ground.visit('/');
    const { page } = visited;
    const wrong = page.getByRole('region', { name: 'What is wrong' });
    await wrong.getByText('The last deploy of shop/production/api failed (2026.12-crash)', { exact: true }).waitFor();
    await wrong.getByRole('link', { name: /^Read why.*shop\/production\/api/ }).click();
    await page.waitForURL(/\/projects\/shop\/production\/api\/deployments\/\d+$/);
  });

  it('finds an app by what is typed, and keeps that in the address', async () => {
    await using visited = await ground.visit('/');
    const { page } = visited;
    await page.getByRole('searchbox', { name: 'Filter the apps' }).fill('staging');
    await page.waitForURL(/filter=staging/);
    await row(page, 'shop/production/web').waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('list', { name: 'Apps' }).getByRole('listitem').count(), 1);
    await page.getByRole('searchbox', { name: 'Filter the apps' }).fill('no such app');
    await page.getByText('No app has «no such app» in its name, status or tag.').waitFor();
  });

  it('shows a deploy that happens elsewhere while one looks at it', async () => {
    await using visited = await ground.visit('/');
    const { page } = visited;
    await row(page, SEEDED.stagedWeb).waitFor();
    await page
      .getByRole('button', { name: /^Live/ })
      .or(page.getByText('Live', { exact: true }))
      .first()
      .waitFor();
    const params = { project: 'shop', environment: 'staging', app: 'web' };
    await ground.daemon.client.deployApp({ params, query: { wait: 'true' }, body: { tag: 'v9' } });
    await row(page, SEEDED.stagedWeb).filter({ hasText: 'v9' }).waitFor({ timeout: 60_000 });
    await page.getByRole('link', { name: /web shop\/staging.*v9/s }).waitFor({ timeout: 60_000 });
  });

  it('says on an instance without an app how there comes to be one, with its own addresses', async () => {
    await using empty = await openDashboard({ seed: false });
    await using visited = await empty.visit('/');
    const { page } = visited;
    await page.getByRole('heading', { name: 'Nothing runs here yet' }).waitFor();
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

  it('says that the container engine is away', async () => {
    await using other = await openDashboard();
    const { client, engine } = other.daemon;
    engine.controls.setAvailable(false);
    await until(async () => !(await client.getInstance()).engine.available);
    await using visited = await other.visit('/');
    await visited.page.getByText('The container engine does not answer', { exact: true }).waitFor();
  });
});

describe('making things', () => {
  it('makes a project, an environment and an app, each judged while it is typed', async () => {
    await using visited = await ground.visit('/projects?new=project');
    const { page } = visited;
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Not A Name');
    await page.getByText('must be lower-case letters, digits and inner hyphens', { exact: true }).waitFor();
    await name.fill('lab');
    await page.getByRole('button', { name: 'Create the project' }).click();
    await heading(page, 'lab').waitFor();
    await page.getByRole('button', { name: 'New environment…' }).click();
    await name.fill('staging');
    await page.keyboard.press('Enter');
    await heading(page, 'staging').waitFor();
    await page.getByText('davit init --app lab/staging/web', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'New app…' }).first().click();
    await name.fill('site');
    await page.getByRole('textbox', { name: 'Image' }).fill('example/site:v7');
    await page.getByRole('textbox', { name: 'Port' }).fill('8080');
    assert.equal(await page.getByRole('textbox', { name: 'First tag' }).inputValue(), 'v7');
    await page.getByRole('button', { name: 'Create the app and show the plan' }).click();
    await page.waitForURL(/\/projects\/lab\/staging\/site\?.*deploy=.*tag=/);
    await page.getByRole('dialog', { name: /Deploy/ }).waitFor();
    const app = await ground.daemon.client.getApp({ params: { project: 'lab', environment: 'staging', app: 'site' } });
    assert.deepEqual([app.image, app.port, app.status], ['example/site', 8080, 'pending']);
  });

  it('says at the field what the instance refuses', async () => {
    await using visited = await ground.visit('/projects?new=project');
    visited.expectRefusal(409, 400);
    const { page } = visited;
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('shop');
    await page.keyboard.press('Enter');
    const taken = 'There is a project shop already: choose another name.';
    await page.getByRole('alert').filter({ hasText: taken }).waitFor();
    assert.equal(await name.getAttribute('aria-invalid'), 'true');

    await page.goto('/projects/shop/production?new=app');
    await name.fill('other');
    await page.getByRole('textbox', { name: 'Image' }).fill('Not/An Image');
    await page.getByRole('button', { name: 'Create the app' }).click();
    await page.getByRole('alert').filter({ hasText: 'must be an image repository' }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Image' }).getAttribute('aria-invalid'), 'true');
  });

  it('says that an instance that is away cannot make it, and makes it when it is back', async () => {
    await using other = await openDashboard();
    await using visited = await other.visit('/projects?new=project');
    visited.expectRefusal(0);
    const { page } = visited;
    await page.getByRole('textbox', { name: 'Name' }).fill('later');
    await visited.context.setOffline(true);
    await page.getByRole('button', { name: 'Create the project' }).click();
    await page.getByRole('dialog').getByRole('alert').first().waitFor();
    await visited.context.setOffline(false);
    await page.getByRole('button', { name: 'Create the project' }).click();
    await heading(page, 'later').waitFor();
  });

  it('keeps what a role may not do, and says why', async () => {
    for (const [role, reason] of [
      ['member', 'This needs the role admin; yours is member.'],
      ['viewer', 'This needs the role admin; yours is viewer.'],
    ] as const) {
      await using visited = await ground.visit('/projects', { role });
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

describe('an environment', () => {
  it('shows its apps, where they answer, and leads to a deploy', async () => {
    await using visited = await ground.visit('/projects/shop/production');
    const { page } = visited;
    const table = page.getByRole('table', { name: 'Apps' });
    const web = table.getByRole('row').filter({ hasText: 'web' });
    assert.match((await web.textContent()) ?? '', /running.*v3.*changes wait for a deploy.*2 of 2.*shop\.example\.com/);
    assert.equal(
      await web.getByRole('link', { name: /shop\.example\.com/ }).getAttribute('href'),
      'http://shop.example.com/',
    );
    await table.getByRole('row').filter({ hasText: 'v1' }).getByText('worker', { exact: true }).last().waitFor();
    await table.getByRole('link', { name: 'Deploy… api' }).click();
    await page.waitForURL(/\/projects\/shop\/production\/api\?deploy=/);
  });

  it('promotes what is live in another one: the plan first, then how it goes', async () => {
    await using visited = await ground.visit('/projects/shop/staging');
    const { page } = visited;
    await page.getByRole('button', { name: 'Promote…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Promote to staging' });
    const choice = dialog.getByRole('checkbox', { name: 'web' });
    await choice.waitFor();
    await dialog.getByText(/becomes v3\./).waitFor();
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

  it('says why there is nothing to promote', async () => {
    await using visited = await ground.visit('/projects/shop/staging?promote=1');
    const { page } = visited;
    const dialog = page.getByRole('dialog', { name: 'Promote to staging' });
    await dialog
      .getByText(/already|same/i)
      .first()
      .waitFor();
  });

  it('is not found where there is none', async () => {
    await using visited = await ground.visit('/projects/shop/nowhere');
    visited.expectRefusal(404);
    await visited.page
      .getByText(/There is no such environment|There is no such thing/)
      .first()
      .waitFor();
  });
});

describe('an app that goes down', () => {
  it('comes first and is said to be wrong, without anybody loading the page again', async () => {
    await using visited = await ground.visit('/');
    const { page } = visited;
    await row(page, SEEDED.broken).waitFor();
    await page.getByText('Live', { exact: true }).first().waitFor();
    await takeDown(ground.daemon, SEEDED.broken);
    const wrong = page.getByRole('region', { name: 'What is wrong' });
    await wrong.getByText(`${SEEDED.broken} is down`, { exact: true }).waitFor({ timeout: 60_000 });
  });
});

describe('for everybody', () => {
  for (const path of PAGES) {
    it(`has no barrier and fits: ${path}`, () =>
      looksRight(ground, path, { ready: (page) => page.getByRole('heading', { level: 1 }).waitFor() }));
  }
  for (const path of FORMS) {
    it(`has no barrier and fits: ${path}`, () =>
      looksRight(ground, path, { ready: (page) => page.getByRole('dialog').waitFor() }));
  }

  it('is walked by keyboard alone', async () => {
    await using visited = await ground.visit('/projects/shop/production');
    const { page } = visited;
    await page.getByRole('button', { name: 'New app…' }).focus();
    await page.keyboard.press('Enter');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.waitFor();
    await page.waitForFunction("document.activeElement?.tagName === 'INPUT'");
    await page.keyboard.type('keys');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.getByRole('radio', { name: 'Pushed to this instance' }).isChecked(), true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.doesNotMatch(page.url(), /new=/);
  });
});
