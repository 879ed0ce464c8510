/**
 * Installed templates in a real browser: installation progress, updates with a preview, rollback and uninstallation.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bootCatalog, type TestCatalog } from '@davit/testkit/catalog';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { isForgotten, looksRight } from '../../support/dashboard-looks.ts';
import { barriers } from '../../support/pages.ts';
import { seedTemplates } from '../../support/seed-templates.ts';
import { inLong, someOf } from '../../support/tiers.ts';

const ROLE = 'This operation requires the role admin, but your role is member. Ask an admin to do it.';
const PARAMS = { owner: 'acme', name: 'notes' };

let fixture: DashboardBrowser;
let catalog: TestCatalog;
before(async () => {
  catalog = await bootCatalog();
  fixture = await openDashboard();
  await seedTemplates(fixture.daemon, catalog);
  await installed('notes');
});
after(async () => {
  await fixture[Symbol.asyncDispose]();
  await catalog[Symbol.asyncDispose]();
});

/** Installs the first release in a new project. @returns the ID of the installation */
async function installed(project: string): Promise<number> {
  const body = { release: 'v1.0.0', project };
  const task = await fixture.daemon.client.installTemplate({ params: PARAMS, query: { wait: 'true' }, body });
  assert.ok('subject' in task);
  assert.equal(task.status, 'succeeded', task.error ?? '');
  return Number(task.subject.name);
}

const dialog = (page: Page) => page.getByRole('dialog').filter({ has: page.getByRole('button', { name: 'Close' }) });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const change = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Changes' }).getByRole('listitem').filter({ hasText: name });
const thing = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Resources' }).getByRole('listitem').filter({ hasText: name });

describe('template installations', () => {
  it('are listed and show the created resources', async () => {
    await using visited = await fixture.visit('/installs');
    const { page } = visited;
    const row = page.getByRole('row').filter({ hasText: 'notes/production' });
    await row.getByText('installed', { exact: true }).waitFor();
    await row.getByRole('link', { name: 'Notes', exact: true }).click();
    await thing(page, 'notes/production/worker').waitFor();
    await page.getByRole('link', { name: 'Open web' }).waitFor();
  });

  it('can be updated after a preview of all changes and rolled back', async () => {
    const id = await installed('updated');
    await using visited = await fixture.visit(`/installs/${id}`);
    const { page } = visited;
    await button(page, 'Update…').click();
    await change(page, 'updated/production/worker').getByText('removed').waitFor();
    await change(page, 'updated/production/cron').getByText('new').waitFor();
    await dialog(page).getByRole('button', { name: 'Update', exact: true }).click();
    await page.waitForURL(/run=\d+/);
    await page.getByText('Remove unused resources, done').waitFor();
    await thing(page, 'updated/production/cron').waitFor();
    await thing(page, 'updated/production/worker').waitFor({ state: 'detached' });
    await page.getByText('v2.0.0', { exact: true }).first().waitFor();

    await button(page, 'Roll back…').click();
    await dialog(page).getByText('from v2.0.0 to v1.0.0').waitFor();
    await dialog(page).getByRole('button', { name: 'Roll back', exact: true }).click();
    await thing(page, 'updated/production/worker').waitFor();
    await page.getByRole('row').filter({ hasText: 'Roll back an installation' }).getByText('succeeded').waitFor();
  });

  it('can be updated with another file after a preview of all changes', inLong, async () => {
    const file = (tag: string, more = '') =>
      `version: 1\nproject: filed\napps:\n  - {key: web, image: acme/web, tag: ${tag}, port: 80}\n${more}`;
    const body = { source: { file: file('v1') } };
    const task = await fixture.daemon.client.installTemplateFile({ query: { wait: 'true' }, body });
    assert.ok('subject' in task);
    await using visited = await fixture.visit(`/installs/${task.subject.name}?update=1`);
    const { page } = visited;
    visited.expectRefusal(422);
    await dialog(page).getByLabel('template.yaml').fill('version: 1');
    await button(page, 'Read template').click();
    await dialog(page).getByRole('alert').first().waitFor();
    await dialog(page).getByLabel('template.yaml').fill(file('v2', '  - {key: cron, image: acme/cron, tag: v1}\n'));
    await button(page, 'Read template').click();
    await change(page, 'filed/production/cron').getByText('new').waitFor();
    await dialog(page).getByRole('button', { name: 'Update', exact: true }).click();
    await page.waitForURL(/run=\d+/);
    await thing(page, 'filed/production/cron').waitFor();
    const params = { project: 'filed', environment: 'production', app: 'web' };
    assert.equal((await fixture.daemon.client.getApp({ params })).tag, 'v2');
  });

  it('can be uninstalled with kept data that the next installation reuses', inLong, async () => {
    const id = await installed('gone');
    await using visited = await fixture.visit(`/installs/${id}?uninstall=1`);
    const { page } = visited;
    const confirm = dialog(page).getByRole('button', { name: 'Uninstall', exact: true });
    assert.ok(await dialog(page).getByLabel('Keep data').isChecked());
    assert.equal(await confirm.getAttribute('aria-disabled'), 'true');
    await dialog(page).getByRole('textbox').fill('gone/production');
    await confirm.click();
    await page.getByText('uninstalled', { exact: true }).first().waitFor();
    const kept = (await fixture.daemon.client.listVolumes()).filter(({ state }) => state === 'kept');
    assert.ok(kept.length > 0, 'its volume is kept');
    await page.goto('/templates/acme/notes?tab=install&release=v1.0.0&project=gone&environment=production');
    await page.getByLabel('Reuse volumes if a deleted app had the same name').check();
    await button(page, 'Install').click();
    await page.getByRole('link', { name: 'Open web' }).waitFor();
  });

  it('show their secrets on request and hide them again', inLong, async () => {
    await using visited = await fixture.visit('/installs/1');
    const { page } = visited;
    const { secrets } = await fixture.daemon.client.getTemplateInstallSecrets({ params: { install: '1' } });
    await button(page, 'Show secrets').click();
    await page.getByText(secrets.secret ?? '', { exact: true }).waitFor();
    await button(page, 'Hide secrets').click();
    await isForgotten(page, secrets.secret ?? 'none');
  });

  it('show the failed step and can be tried again', inLong, async () => {
    // Every deployment fails, because Davit retries a deployment after a single failure of the engine.
    fixture.daemon.engine.controls.fail('createGroup', { times: 1_000, error: new Error('no room left') });
    await using visited = await fixture.visit('/templates/acme/notes?tab=install&release=v1.0.0&project=failing');
    const { page } = visited;
    await page.getByLabel('Keep resources if the installation fails').check();
    await button(page, 'Install').click();
    await page.getByText('Deploy the apps, failed').waitFor();
    await page.getByText('failed', { exact: true }).first().waitFor();
    await page.getByText(/^These resources were kept:/).waitFor();
    fixture.daemon.engine.controls.clearFailures();
    await button(page, 'Try again').click();
    await page.getByRole('link', { name: 'Open web' }).waitFor();
  });

  it('show an empty state on an instance without installed templates', inLong, async () => {
    await using empty = await openDashboard({ seed: false });
    await using visited = await empty.visit('/installs');
    await visited.page.getByText('No installed templates').waitFor();
    assert.deepEqual(await barriers(visited.page), []);
  });
});

describe('the installation pages', () => {
  const pages = ['/installs/1?run=1', '/installs', '/installs/1?update=1', '/installs/1?uninstall=1'];
  for (const path of someOf(pages)) {
    it(`have no accessibility problems or overflow: ${path}`, () =>
      looksRight(fixture, path, {
        ready: (page) => page.getByRole('dialog').or(page.getByRole('table')).first().waitFor(),
      }));
  }

  it('show a member why the uninstall button is disabled', inLong, async () => {
    await using visited = await fixture.visit('/installs/1?uninstall=1', { role: 'member' });
    const { page } = visited;
    const uninstall = button(page, 'Uninstall…');
    assert.equal(await uninstall.getAttribute('aria-disabled'), 'true');
    await uninstall.focus();
    await page.getByText(ROLE).waitFor();
    assert.equal(await dialog(page).count(), 0);
  });
});
