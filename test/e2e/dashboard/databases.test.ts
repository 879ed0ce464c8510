/** Databases in a real browser: creation, credentials, attachments, changes, deletion and restore from the trash. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DATA, databaseAt } from '@davit/testkit';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { button, dialog, looksRightAt, openData, shown } from '../../support/data-steps.ts';
import { inLong, someOf } from '../../support/tiers.ts';

const MAIN = `/databases/${DATA.main}`;
const ADMIN_ONLY = 'This operation requires the role admin, but your role is member. Ask an admin to do it.';
const PAGES = [
  '/databases',
  '/databases?tab=trash',
  '/databases?new=database',
  MAIN,
  `${MAIN}?tab=metrics`,
  `${MAIN}?tab=logs`,
  `${MAIN}?tab=settings`,
];

let fixture: DashboardBrowser;
before(async () => {
  fixture = await openData();
});
after(() => fixture[Symbol.asyncDispose]());

describe('databases in the dashboard', () => {
  it('can be created on an environment’s page with version and memory limit', async () => {
    await using visited = await fixture.visit('/projects/shop/production');
    const { page } = visited;
    await page.getByRole('link', { name: 'main', exact: true }).waitFor();
    await button(page, 'New database…').click();
    await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).fill('orders');
    await dialog(page).getByText('Davit builds the image of the database on this server').waitFor();
    await dialog(page).getByRole('combobox', { name: 'Version' }).selectOption('17');
    await dialog(page).getByText('Davit pulls the image postgres:17').waitFor();
    await dialog(page).getByRole('textbox', { name: 'Memory' }).fill('1 GiB');
    await button(page, 'Create database').click();
    await page.waitForURL(/\/databases\/shop\/production\/orders$/);
    await shown(page, 'orders', 'running');
    const made = await fixture.daemon.client.getDatabase({ params: databaseAt('shop/production/orders') });
    assert.deepEqual([made.version, made.limits.memory_bytes], ['17', 1024 ** 3]);
  });

  it('stay visible with the reason after a failed creation, and can be created again', async () => {
    await using visited = await fixture.visit('/databases?new=database');
    // The page requests the database once more after Davit has removed it.
    visited.expectRefusal(404);
    const { page } = visited;
    const name = dialog(page).getByRole('textbox', { name: 'Name', exact: true });
    const version = dialog(page).getByRole('combobox', { name: 'Version' });
    fixture.daemon.engine.controls.fail('createGroup');
    await dialog(page).getByRole('combobox', { name: 'Project and environment' }).selectOption('shop/production');
    await name.fill('lost');
    await version.selectOption('17');
    await button(page, 'Create database').click();
    await shown(page, 'lost', 'failed');
    const [task] = await fixture.daemon.client.listTasks({ query: { subject: 'shop/production/lost' } });
    const reason = task?.error ?? assert.fail('the task has no reason');
    await page.getByRole('alert').filter({ hasText: reason }).first().waitFor();
    await button(page, 'Retry…').click();
    await version.waitFor();
    assert.deepEqual([await name.inputValue(), await version.inputValue()], ['lost', '17']);

    await page.goto('/databases');
    const failed = page.getByRole('list', { name: 'Failed creations' });
    await failed.getByText(reason).waitFor();
    await page.goto('/');
    const issues = page.getByRole('region', { name: 'Issues' });
    await issues.getByRole('link', { name: /could not be created/ }).click();
    await shown(page, 'lost', 'failed');
    await button(page, 'Retry…').click();
    await version.waitFor();
    await button(page, 'Create database').click();
    await shown(page, 'lost', 'running');
  });

  it('show an error in the form if the name is taken', inLong, async () => {
    await using visited = await fixture.visit('/databases?new=database');
    visited.expectRefusal(409);
    const { page } = visited;
    await dialog(page).getByRole('combobox', { name: 'Project and environment' }).selectOption('shop/production');
    await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).fill('main');
    await button(page, 'Create database').click();
    await dialog(page).getByRole('alert').filter({ hasText: 'main' }).waitFor();
  });

  it('show the password only on request and load no credentials before', inLong, async () => {
    const { password } = await fixture.daemon.client.getDatabaseCredentials({ params: databaseAt(DATA.main) });
    await using visited = await fixture.visit(MAIN);
    const { page } = visited;
    await page.getByText('main.db.production.shop.internal').waitFor();
    assert.ok(!visited.asked.some((request) => request.includes('credentials')));
    await button(page, 'Show credentials').click();
    await button(page, 'Reveal Password').click();
    await page.getByText(password, { exact: true }).waitFor();
  });

  it('do not let a viewer show credentials or attach apps', inLong, async () => {
    await using visited = await fixture.visit(MAIN, { role: 'viewer' });
    const { page } = visited;
    assert.equal(await button(page, 'Show credentials').getAttribute('aria-disabled'), 'true');
    assert.equal(await button(page, 'Attach app…').getAttribute('aria-disabled'), 'true');
  });

  it('can be attached to an app and detached again', inLong, async () => {
    await using visited = await fixture.visit(`/databases/${DATA.cache}`);
    const { page } = visited;
    await button(page, 'Attach app…').click();
    await dialog(page).getByRole('combobox', { name: 'App' }).selectOption('shop/production/api');
    await dialog(page).getByRole('textbox', { name: 'Prefix' }).fill('cache');
    await dialog(page).getByText('A prefix contains uppercase letters').waitFor();
    await dialog(page).getByRole('textbox', { name: 'Prefix' }).fill('CACHE_');
    await dialog(page).getByText('CACHE_REDIS_URL').waitFor();
    await button(page, 'Attach app').click();
    await page
      .getByRole('list', { name: 'Attached apps' })
      .getByRole('link', { name: 'shop/production/api' })
      .waitFor();
    await page.goto('/projects/shop/production/api/environment');
    await page.getByRole('list', { name: 'Attachments' }).getByText('CACHE_REDIS_URL').waitFor();
    await page.getByRole('row').filter({ hasText: 'CACHE_REDIS_HOST' }).getByText('attachment').waitFor();
    await page.goto(`/databases/${DATA.cache}`);
    await button(page, /^Detach/).click();
    await button(page, 'Detach app').click();
    await page.getByText('No attached apps. Attach an app to give it access to the database.').waitFor();
  });

  it('can be attached and deployed in one step', inLong, async () => {
    await using visited = await fixture.visit(`/databases/${DATA.cache}`);
    const { page } = visited;
    await button(page, 'Attach app…').click();
    await dialog(page).getByRole('combobox', { name: 'App' }).selectOption('shop/production/worker');
    await dialog(page).getByRole('checkbox', { name: 'Deploy app now' }).check();
    await button(page, 'Attach and deploy app').click();
    await page.waitForURL(/\/shop\/production\/worker\/deployments\/\d+$/);
  });

  it('can be started, exposed publicly and made private again', inLong, async () => {
    await using visited = await fixture.visit(`/databases/${DATA.posts}`);
    const { page } = visited;
    await shown(page, 'posts', 'stopped');
    assert.equal(await button(page, 'Back up now').getAttribute('aria-disabled'), 'true');
    await button(page, 'More for posts').click();
    await page.getByRole('menuitem', { name: 'Start', exact: true }).click();
    await shown(page, 'posts', 'running');
    await button(page, 'Expose publicly…').click();
    await dialog(page).getByRole('button', { name: 'Expose publicly', exact: true }).click();
    await page.getByText(/^Public access is on. Clients connect to port 15\d{3}/).waitFor();
    await button(page, 'Show credentials').click();
    const ca = await page.getByRole('link', { name: 'Download davit-ca.pem' }).getAttribute('href');
    assert.equal(ca, '/api/instance/ca.pem');
    await button(page, 'Reveal mariadb').click();
    await page.getByText(/^MYSQL_PWD=.* mariadb .*--ssl-verify-server-cert/).waitFor();
    await button(page, 'Remove public access…').click();
    await dialog(page).getByRole('button', { name: 'Remove public access', exact: true }).click();
    await page.getByText('Public access is off. Only apps in the same environment can connect.').waitFor();
  });

  it('accept a changed description and CPU limit and refuse an invalid limit', inLong, async () => {
    await using visited = await fixture.visit(`${MAIN}?tab=settings`);
    const { page } = visited;
    await page.getByRole('textbox', { name: 'Description' }).fill('All orders');
    await page.getByRole('textbox', { name: 'CPU' }).fill('two');
    visited.expectRefusal(400);
    await button(page, 'Save').click();
    await page.getByRole('alert').first().waitFor();
    await page.getByRole('textbox', { name: 'CPU' }).fill('2');
    await button(page, 'Save').click();
    await page.getByText('Saved.').first().waitFor();
    const { description, limits } = await fixture.daemon.client.getDatabase({ params: databaseAt(DATA.main) });
    assert.deepEqual([description, limits.cpu], ['All orders', 2]);
  });

  it('allow and deny CONFIG for the apps of a Redis database', inLong, async () => {
    const params = databaseAt(DATA.cache);
    const allowed = async () => (await fixture.daemon.client.getDatabase({ params })).allow_config;
    await using visited = await fixture.visit(`/databases/${DATA.cache}?tab=settings`);
    const { page } = visited;
    await button(page, 'Allow CONFIG').click();
    await button(page, 'Deny CONFIG').waitFor();
    assert.equal(await allowed(), true);
    await button(page, 'Deny CONFIG').click();
    await button(page, 'Allow CONFIG').waitFor();
    assert.equal(await allowed(), false);
  });

  it('support password rotation, cloning and version upgrades', inLong, async () => {
    const credentials = () => fixture.daemon.client.getDatabaseCredentials({ params: databaseAt(DATA.main) });
    const { password } = await credentials();
    await using visited = await fixture.visit(`${MAIN}?tab=settings`);
    const { page } = visited;
    await button(page, 'Rotate password…').click();
    await dialog(page).getByText('shop/production/web').waitFor();
    await button(page, 'Rotate password').last().click();
    await button(page, 'Clone…').and(page.locator(':not([aria-disabled])')).click();
    assert.notEqual((await credentials()).password, password);
    await dialog(page).getByRole('textbox', { name: 'Name of the new database' }).fill('main-copy');
    await button(page, 'Clone database').click();
    await page.waitForURL(/\/databases\/shop\/production\/main-copy$/);
    await shown(page, 'main-copy', 'running');
    await page.goto('/databases/shop/production/main-copy?tab=settings');
    await button(page, 'Upgrade…').and(page.locator(':not([aria-disabled])')).click();
    await dialog(page).getByRole('textbox', { name: 'Type “main-copy” to confirm' }).fill('main-copy');
    await button(page, 'Upgrade database').click();
    await shown(page, 'main-copy', 'PostgreSQL 18');
  });

  it('move to the trash if their name is typed, and can be restored', inLong, async () => {
    await fixture.daemon.client.createDatabase({
      query: { wait: 'true' },
      body: { project: 'shop', environment: 'staging', name: 'brief', engine: 'redis' },
    });
    await using visited = await fixture.visit('/databases/shop/staging/brief?tab=settings');
    // The page requests the deleted database once more before it opens the trash.
    visited.expectRefusal(404);
    const { page } = visited;
    await button(page, 'Delete…').click();
    const confirm = button(page, 'Move to trash');
    assert.equal(await confirm.getAttribute('aria-disabled'), 'true');
    await dialog(page).getByRole('textbox').fill('brief');
    await confirm.click();
    await page.waitForURL(/\/databases\?tab=trash$/);
    await page
      .getByRole('row')
      .filter({ hasText: 'shop/staging/brief' })
      .getByRole('button', { name: /^Restore/ })
      .click();
    await button(page, 'Restore database').click();
    await page.waitForURL(/\/databases\/shop\/staging\/brief$/);
    await shown(page, 'brief', 'running');
  });

  it('can be restored to another environment if their environment was deleted', inLong, async () => {
    const { client } = fixture.daemon;
    const params = { project: 'left', environment: 'production', database: 'kept' };
    await client.createProject({ body: { slug: 'left' } });
    const body = { project: 'left', environment: 'production', name: 'kept', engine: 'redis' } as const;
    await client.createDatabase({ query: { wait: 'true' }, body });
    await client.deleteDatabase({ params: params, query: { confirm: 'kept' } });
    await client.deleteProject({ params: { project: 'left' } });
    await using visited = await fixture.visit('/databases?tab=trash');
    const { page } = visited;
    const row = page.getByRole('row').filter({ hasText: 'left/production/kept' });
    await row.getByRole('button', { name: /^Restore/ }).click();
    await dialog(page).getByText('The environment left/production no longer exists').waitFor();
    const restore = button(page, 'Restore database');
    assert.equal(await restore.getAttribute('aria-disabled'), 'true');
    await dialog(page).getByRole('combobox', { name: 'Environment' }).selectOption('shop/staging');
    await restore.click();
    await page.waitForURL(/\/databases\/shop\/staging\/kept$/);
    await shown(page, 'kept', 'running');
  });

  it('can be deleted permanently from the trash', inLong, async () => {
    await using visited = await fixture.visit('/databases?tab=trash');
    const { page } = visited;
    const row = page.getByRole('row').filter({ hasText: DATA.gone });
    await row.getByRole('button', { name: /^Delete permanently/ }).click();
    await dialog(page).getByRole('textbox').fill('old');
    await button(page, 'Delete permanently').click();
    await row.waitFor({ state: 'detached' });
  });

  it('cannot be created by a member, with the reason shown', inLong, async () => {
    await using visited = await fixture.visit('/databases', { role: 'member' });
    const create = button(visited.page, 'New database…');
    assert.equal(await create.getAttribute('aria-disabled'), 'true');
    await create.focus();
    await visited.page.getByText(ADMIN_ONLY).waitFor();
  });

  it('show an empty state on an instance without databases', inLong, async () => {
    await using empty = await openDashboard({ seed: false });
    await using visited = await empty.visit('/databases');
    await visited.page.getByText('No databases').waitFor();
  });

  for (const path of someOf(PAGES)) {
    it(`have no accessibility problems or overflow at ${path}`, () => looksRightAt(fixture, path));
  }
});
