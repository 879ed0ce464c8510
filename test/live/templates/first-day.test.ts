/**
 * The first day with a template, in the browser and with a real engine. The template is installed from the local
 * catalog, opened, backed up, updated, deleted with all data, restored and installed again. No data may be lost.
 */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Client } from '@davit/api';
import { bootCatalog } from '@davit/testkit/catalog';
import Docker from 'dockerode';
import type { Page } from 'playwright-core';
import { EXAMPLES, makeExampleRepositories } from '../../../scripts/example-catalog.ts';
import { customImage } from '../../support/docker-images.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { type LiveDashboard, openLiveDashboard } from '../../support/live-dashboard.ts';
import { psql } from '../../support/live-database.ts';
import { whyNoEngine } from '../../support/live-harness.ts';

const PASSWORD = 'correct horse battery';
const BOOK = 'journal/production/book';
const ROWS = "CREATE TABLE entries (words text); INSERT INTO entries VALUES ('first'), ('second');";

/** Returns instructions for an image that shows its release and the host of its database. */
const serves = (words: string) => [
  'EXPOSE 8080',
  `CMD ${JSON.stringify(['sh', '-c', `echo "<h1>${words}</h1><p>$DATABASE_HOST</p>" > /www/index.html; exec httpd -f -p 8080 -h /www`])}`,
];

const template = (image: string) => `version: 1
name: Journal
minCubeship: "0.6.0"
project: journal
inputs:
  - {key: token, type: secret, label: Token, generate: 24}
databases:
  - {key: db, name: book, engine: postgres, version: "15"}
apps:
  - key: web
    image: ${image.split(':')[0]}
    tag: "${image.split(':')[1]}"
    port: 8080
    attach: [{database: db}]
    env: {TOKEN: "\${input.token}"}
`;

describe('the first day with a template', { skip: whyNoEngine() ?? false }, () => {
  const docker = new Docker();
  const cleanup = new AsyncDisposableStack();
  let instance: Instance;
  let dashboard: LiveDashboard;
  let page: Page;
  let client: Client;

  before(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'davit-first-day-'));
    cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
    const images = { 'v1.0.0': 'the first release', 'v2.0.0': 'the second release' };
    for (const [tag, words] of Object.entries(images)) {
      const image = await customImage(docker, `guestbook-${tag.slice(0, 2)}`, serves(words));
      writeRelease(join(folder, 'sources/acme/journal'), tag, template(image));
    }
    await makeExampleRepositories(join(folder, 'repositories'), join(folder, 'sources'));
    const catalog = cleanup.use(await bootCatalog({ source: join(folder, 'repositories') }));
    await catalog.passOnce();
    instance = cleanup.use(await startInstance({ env: { DAVIT_INSTANCE_CATALOG_URL: catalog.url } }));
    dashboard = cleanup.use(await openLiveDashboard(instance, '/sign-in'));
    // A request without a session gets 401.
    dashboard.expectRefusal(401);
    page = dashboard.page;
    client = instance.client;
  });
  after(() => cleanup.disposeAsync());

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog').filter({ has: page.getByRole('button', { name: 'Close' }) });
  const main = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
  const query = (sql: string) => psql({ docker, client, instance }, BOOK, 'book', sql);
  const words = async () => (await query('SELECT words FROM entries ORDER BY words')).trim();

  /** Opens the app from the page of the installation. */
  async function open(says: string): Promise<void> {
    const link = page.getByRole('link', { name: 'Open web' });
    await link.waitFor();
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await opened.getByRole('heading', { name: says }).waitFor();
    await opened.getByText('book.db.production.journal.internal').waitFor();
    await opened.close();
  }

  it('signs in to the dashboard', async () => {
    await page.getByLabel('Username').fill('admin');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await button('Sign in').click();
    await page.locator('[data-live=live]').waitFor();
  });

  it('installs a release of a catalog template and opens the app', async () => {
    await main('Templates').click();
    await page.getByRole('list', { name: 'Templates' }).getByRole('link', { name: 'Journal' }).click();
    await page.getByText('PostgreSQL 15').waitFor();
    await dashboard.picture('template');
    await page.getByRole('link', { name: 'Releases' }).click();
    await button('Install v1.0.0…').click();
    await page.getByRole('list', { name: 'Resources to create' }).getByText(BOOK).waitFor();
    await dashboard.picture('form');
    await button('Install').click();
    await page
      .getByText(/^Create the databases/)
      .first()
      .waitFor();
    await dashboard.picture('under-way');
    await page.getByText('Deploy the apps, done').waitFor();
    await open('the first release');
    await dashboard.picture('installed');
  });

  it('backs up the database of the app', async () => {
    await query(ROWS);
    await page.getByRole('list', { name: 'Resources' }).getByRole('link', { name: BOOK }).click();
    await page.getByRole('link', { name: 'Backups' }).last().click();
    await button('Back up now').first().click();
    await page.getByRole('table', { name: 'Backups' }).getByText('succeeded').waitFor();
    await dashboard.picture('backup');
  });

  it('updates the installation to the next release and keeps the data', async () => {
    await main('Templates').click();
    await page.getByRole('link', { name: 'Installed' }).click();
    // The catalog page before this page also has a link with this name.
    const installed = page.getByRole('table', { name: 'Installed templates' });
    await installed.getByRole('link', { name: 'Journal', exact: true }).click();
    await button('Update…').click();
    await page.getByRole('list', { name: 'Changes' }).getByText('changed').waitFor();
    await dashboard.picture('what-would-change');
    await dialog().getByRole('button', { name: 'Update', exact: true }).click();
    await page.getByText('v2.0.0', { exact: true }).first().waitFor();
    await open('the second release');
    assert.equal(await words(), 'first\nsecond');
  });

  it('uninstalls the template with all its data', async () => {
    await button('Uninstall…').click();
    await dialog().getByLabel('Keep data').uncheck();
    await dialog().getByRole('textbox').fill('journal/production');
    await button('Uninstall with data').click();
    await page.getByText('uninstalled', { exact: true }).first().waitFor();
    for (const { id, name } of await client.listTrashedDatabases()) {
      await client.destroyDatabase({ params: { trashed: String(id) }, query: { confirm: name } });
    }
    await assert.rejects(words(), /has no container/);
  });

  it('restores the backup and installs the template again with all data', async () => {
    await main('Projects').click();
    await button('New project…').first().click();
    await dialog().getByRole('textbox', { name: 'Name' }).fill('journal');
    await button('Create project').click();
    await page.getByRole('heading', { level: 1, name: 'journal' }).waitFor();
    const [backup] = await client.listBackups();
    await page.goto(`/backups?restore=${backup?.id}`);
    await page.evaluate('window.openedOnce = true');
    await dialog().getByRole('button', { name: 'Restore as new database' }).click();
    await page.getByText('running', { exact: true }).first().waitFor();
    assert.equal(await words(), 'first\nsecond');

    await main('Templates').click();
    await page.getByRole('list', { name: 'Templates' }).getByRole('link', { name: 'Journal' }).click();
    await button('Install…').click();
    await page.getByLabel('Data of database db').selectOption(BOOK);
    await page.getByRole('list', { name: 'Resources to create' }).getByText('reused').waitFor();
    await dashboard.picture('install-with-the-restored');
    await button('Install').click();
    await open('the second release');
    assert.equal(await words(), 'first\nsecond');
    await dashboard.picture('nothing-was-lost');
  });
});

function writeRelease(folder: string, tag: string, file: string): void {
  mkdirSync(join(folder, tag), { recursive: true });
  writeFileSync(join(folder, 'repository.json'), JSON.stringify({ id: 1, topics: ['davit-template'] }));
  const published_at = `2026-01-0${tag.slice(1, 2)}T00:00:00Z`;
  writeFileSync(join(folder, tag, 'release.json'), JSON.stringify({ published_at }));
  writeFileSync(join(folder, tag, 'template.yaml'), file);
  writeFileSync(join(folder, tag, 'README.md'), '# Journal\n\nKeeps what visitors write.\n');
  copyFileSync(join(EXAMPLES, 'davit-examples/umami-template/v1.0.0/icon.png'), join(folder, tag, 'icon.png'));
}
