/** The template catalog in a real browser: search, the page of a template, and the installation form. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bootCatalog, type TestCatalog } from '@davit/testkit/catalog';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { isForgotten, looksRight } from '../../support/dashboard-looks.ts';
import { finds } from '../../support/pages.ts';
import { seedTemplates } from '../../support/seed-templates.ts';
import { inLong, someOf } from '../../support/tiers.ts';

const NOTES = '/templates/acme/notes';
const FORM = `${NOTES}?tab=install`;
const PAGES = [FORM, '/templates', NOTES, `${NOTES}?tab=releases`, '/templates?new=compose'];
const ROLE = 'This operation requires the role admin, but your role is member. Ask an admin to do it.';
const COMPOSE = `name: till
services:
  web:
    image: registry.test/acme/till:1.2
    ports: ["8080:8080"]
    privileged: true
`;

let fixture: DashboardBrowser;
let catalog: TestCatalog;
before(async () => {
  catalog = await bootCatalog();
  fixture = await openDashboard();
  await seedTemplates(fixture.daemon, catalog);
});
after(async () => {
  await fixture[Symbol.asyncDispose]();
  await catalog[Symbol.asyncDispose]();
});

const cards = (page: Page) => page.getByRole('list', { name: 'Templates' }).getByRole('article');
const shown = (page: Page, count: number) =>
  finds(
    () => cards(page).count(),
    (found) => found === count,
    count,
  );
const card = (page: Page, name: string) => cards(page).filter({ hasText: name });
const made = (page: Page) => page.getByRole('list', { name: 'Resources to create' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

describe('the template catalog page', () => {
  it('can be searched, filtered by tag and paged, with the state in the URL', async () => {
    await using visited = await fixture.visit('/templates');
    const { page } = visited;
    await card(page, 'acme/notes').getByText('Takes notes and keeps them.').waitFor();
    assert.equal(await cards(page).count(), 24);
    await button(page, 'Show more').click();
    await shown(page, 32);
    await page.waitForURL(/pages=2/);
    await page.reload();
    await card(page, 'acme/small-01').waitFor();

    await page.getByRole('searchbox', { name: 'Search the catalog' }).fill('notes');
    await shown(page, 1);
    await page.waitForURL(/q=notes/);
    await page.getByRole('searchbox', { name: 'Search the catalog' }).fill('nowhere');
    await page.getByText('No matching templates').waitFor();
    await button(page, 'Show all templates').click();
    await page.getByRole('combobox', { name: 'Tag' }).selectOption('future');
    await shown(page, 1);
    await card(page, 'acme/tomorrow').waitFor();
  });

  it('reports a catalog that does not respond and shows templates after a retry', inLong, async () => {
    await using visited = await fixture.visit('/');
    visited.expectRefusal(502, 503);
    const { page } = visited;
    await heading(page, 'Overview').waitFor();
    await fixture.daemon.client.patchSettings({ body: { catalog: { url: 'http://127.0.0.1:9' } } });
    await page.goto('/templates');
    await page.getByText(/^The catalog does not respond/).waitFor();
    await fixture.daemon.client.patchSettings({ body: { catalog: { url: catalog.url } } });
    await button(page, 'Try again').or(card(page, 'acme/notes')).first().click();
    await card(page, 'acme/notes').or(heading(page, 'Notes')).first().waitFor();
  });

  it('explains a missing catalog and links to the catalog settings', inLong, async () => {
    await using other = await openDashboard({ seed: false });
    await using visited = await other.visit('/templates');
    visited.expectRefusal(502, 503);
    const { page } = visited;
    await page.getByText(/^The instance has no template catalog/).waitFor();
    await page.getByRole('link', { name: 'Change catalog settings' }).click();
    await page.getByLabel('Catalog', { exact: true }).waitFor();
  });
});

describe('the page of a template', () => {
  it('shows a script in the README as text, and the image of an app', inLong, async () => {
    await using visited = await fixture.visit(NOTES);
    const { page } = visited;
    await heading(page, 'Notes').waitFor();
    await page.getByText("<script>alert('nothing of this runs')</script>").waitFor();
    assert.equal(await page.getByRole('link', { name: 'its page' }).getAttribute('href'), 'https://example.com/notes');
    await page.getByText('registry.test/acme/notes:2.0').waitFor();
  });

  it('installs the template with values that are validated while the user types', async () => {
    await using visited = await fixture.visit(`${NOTES}?tab=releases`);
    const { page } = visited;
    await page.getByRole('button', { name: 'Install v1.0.0…' }).click();
    await page.waitForURL(/release=v1.0.0/);
    await made(page).getByText('notes/production/worker').waitFor();

    const size = page.getByLabel('Largest upload');
    await size.fill('7');
    await page.getByText('The value must be at least 100.').waitFor();
    assert.equal(await size.getAttribute('aria-invalid'), 'true');
    await size.fill('4096');
    await page.getByText('The value must be at least 100.').waitFor({ state: 'detached' });
    await page.getByLabel('Colour').fill('Green');
    await page.getByText(/^The value must match the pattern/).waitFor();
    await button(page, 'Install').click();
    await page.getByText('Correct the fields above first.').waitFor();
    await page.getByLabel('Colour').fill('green');
    await page.getByText(/^The value must match the pattern/).waitFor({ state: 'detached' });

    assert.equal(await page.getByLabel('SMTP server').count(), 0, 'only who sends mail is asked for a server');
    await page.getByRole('combobox', { name: /^Mail/ }).selectOption('smtp');
    await page.getByLabel('SMTP server').fill('relay.example.com');
    await page.getByLabel('Key that signs sessions').fill('a-secret-of-mine');
    await page.getByText('Resource names').click();
    await page.getByLabel('App web').fill('site');
    await made(page).getByText('notes/production/site').waitFor();
    await button(page, 'Install').click();

    await page.waitForURL(/\/installs\/\d+\?run=\d+/);
    await page.getByText('Deploy the apps, done').waitFor();
    await page.getByRole('link', { name: 'Open site' }).waitFor();
    await isForgotten(page, 'a-secret-of-mine');
    const params = { project: 'notes', environment: 'production', app: 'site' };
    const { vars } = await fixture.daemon.client.getAppEnv({ params });
    assert.deepEqual(
      [vars.SIZE, vars.COLOUR, vars.SMTP_HOST, vars.SECRET],
      ['4096', 'green', 'relay.example.com', 'a-secret-of-mine'],
    );
    await page.goto('/templates');
    await card(page, 'acme/notes').getByText('installed', { exact: true }).waitFor();
  });

  it('disables the installation if the template needs a newer Davit version', inLong, async () => {
    await using visited = await fixture.visit('/templates/acme/tomorrow?tab=install');
    const { page } = visited;
    await page
      .getByText(/needs Davit >=9\.0\.0/)
      .first()
      .waitFor();
    assert.equal(await button(page, 'Install').getAttribute('aria-disabled'), 'true');
  });

  it('reports a name that is taken and accepts another name', inLong, async () => {
    await fixture.daemon.client.createProject({ body: { slug: 'taken' } });
    const params = { owner: 'acme', name: 'small-01' };
    await fixture.daemon.client.installTemplate({ params, query: { wait: 'true' }, body: { project: 'taken' } });
    await using visited = await fixture.visit('/templates/acme/small-01?tab=install&project=taken');
    const { page } = visited;
    await page.getByText('taken/production already has the app web. Choose another name.').waitFor();
    await page.getByLabel('App web').fill('other');
    await made(page).getByText('taken/production/other').waitFor();
  });

  it('shows Not found for an unknown template', inLong, async () => {
    await using visited = await fixture.visit('/templates/acme/nothing');
    visited.expectRefusal(404);
    await heading(visited.page, 'Not found').waitFor();
  });
});

describe('templates outside the catalog', () => {
  it('can be converted from a Compose file with a report and installed', async () => {
    await using visited = await fixture.visit('/templates?new=compose');
    const { page } = visited;
    await page.getByLabel('Compose file').last().fill(COMPOSE);
    await button(page, 'Convert file').click();
    const report = page.getByRole('region', { name: 'Conversion report' });
    await report.getByRole('listitem').filter({ hasText: 'privileged' }).getByText('not supported').waitFor();
    await report.getByRole('listitem').filter({ hasText: 'image' }).getByText('converted').first().waitFor();
    await button(page, 'Continue to installation').click();
    await made(page).getByText('till/production/web').waitFor();
    await page.getByLabel('Host name of web').fill('till.example.com');
    await made(page)
      .getByText(/till\.example\.com/)
      .waitFor();
    await button(page, 'Install').click();
    await page.waitForURL(/\/installs\/\d+\?run=\d+/);
    await page.getByRole('link', { name: 'Open web' }).waitFor();
  });

  it('are refused with an error if the file or the repository is invalid', inLong, async () => {
    await using visited = await fixture.visit('/templates?new=compose');
    visited.expectRefusal(422, 400);
    const { page } = visited;
    await page.getByLabel('Compose file').last().fill('- nothing');
    await button(page, 'Convert file').click();
    await page.getByRole('alert').filter({ hasText: 'The file is not a Compose file' }).waitFor();
    await page.getByRole('radio', { name: 'Git repository' }).click();
    await page.getByRole('textbox', { name: 'Repository' }).fill('https://example.com/acme/app');
    await button(page, 'Read template').click();
    await page.getByRole('alert').filter({ hasText: 'must be a repository of github.com' }).waitFor();
  });
});

describe('the template pages', () => {
  for (const path of someOf(PAGES)) {
    it(`have no accessibility problems or overflow: ${path}`, () =>
      looksRight(fixture, path, {
        ready: (page) => (path === FORM ? made(page) : page.getByRole('heading', { level: 2 }).first()).waitFor(),
      }));
  }

  it('show the inputs to a member, who cannot install the template', inLong, async () => {
    await using visited = await fixture.visit(FORM, { role: 'member' });
    const { page } = visited;
    await page.getByText(`You can see the inputs but not install the template. ${ROLE}`).waitFor();
    assert.ok(await page.getByLabel('Largest upload').isDisabled());
    assert.ok(!visited.asked.some((one) => one.startsWith('POST')));
  });
});
