/**
 * The registry page in a real browser: releases, images on the server, credentials of other registries, and volumes.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PUSHED, pushed, seedRegistry } from '@davit/testkit';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { looksRight } from '../../support/dashboard-looks.ts';
import { barriers } from '../../support/pages.ts';
import { inLong, someOf } from '../../support/tiers.ts';

const TABS = [
  `/registry?repository=${PUSHED.app}`,
  '/registry?tab=images',
  '/registry?tab=credentials',
  '/registry?tab=volumes',
  '/registry?tab=unrecorded',
];
const ROLE = 'This operation requires the role admin, but your role is member. Ask an admin to do it.';

let fixture: DashboardBrowser;
before(async () => {
  fixture = await openDashboard();
  await seedRegistry(fixture.daemon);
});
after(() => fixture[Symbol.asyncDispose]());

/** Returns the open dialog. Toasts also have the role dialog, but have no Close button. */
const dialog = (page: Page) =>
  page.getByRole('dialog').filter({ has: page.getByRole('button', { name: 'Close', exact: true }) });
const repository = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Repositories' }).getByRole('listitem').filter({ hasText: name });

describe('the registry page', () => {
  it('shows the registry’s status and the commands to push an image', async () => {
    await using visited = await fixture.visit('/registry');
    const { page } = visited;
    await page.getByText('running', { exact: true }).waitFor();
    await page.getByText('docker login localhost:5000 --username admin', { exact: true }).waitFor();
    await page.getByText(`docker push localhost:5000/${PUSHED.app}:v1`, { exact: true }).waitFor();
  });

  it('lists the releases of a repository and deletes a release if its tag is typed', async () => {
    await using visited = await fixture.visit('/registry');
    const { page } = visited;
    await repository(page, PUSHED.app).getByRole('button', { name: PUSHED.app }).click();
    await page.waitForURL(/repository=/);
    const releases = page.getByRole('list', { name: `Releases of ${PUSHED.app}` });
    const live = releases.getByRole('listitem').filter({ hasText: 'live' });
    await live.getByText('by admin').waitFor();
    assert.equal(await live.getByRole('button', { name: /^Delete/ }).getAttribute('aria-disabled'), 'true');
    await releases.getByRole('button', { name: 'Delete… 1.0' }).click();
    const confirm = dialog(page).getByRole('button', { name: 'Delete release' });
    assert.equal(await confirm.getAttribute('aria-disabled'), 'true');
    await dialog(page).getByRole('textbox').fill('1.0');
    await confirm.click();
    await releases.getByRole('button', { name: 'Delete… 1.0' }).waitFor({ state: 'detached' });
    const params = { project: 'shop', environment: 'production', app: 'docs' };
    const left = await fixture.daemon.client.listReleases({ params });
    assert.ok(!left.some(({ tag }) => tag === '1.0'));
  });

  it('deletes the repository of a deleted app', inLong, async () => {
    await using visited = await fixture.visit('/registry');
    const { page } = visited;
    await repository(page, PUSHED.leftover)
      .getByRole('button', { name: /^Delete/ })
      .click();
    await dialog(page).getByRole('textbox').fill(PUSHED.leftover);
    await dialog(page).getByRole('button', { name: 'Delete repository' }).click();
    await page.getByText(`Deleted the repository ${PUSHED.leftover}.`).first().waitFor();
    await repository(page, PUSHED.leftover).waitFor({ state: 'detached' });
  });

  it('previews the tags that a cleanup removes before the cleanup runs', inLong, async () => {
    const { daemon } = fixture;
    await daemon.client.patchSettings({ body: { registry: { keep_tags: 1, push_minutes: 0 } } });
    for (const tag of ['2.0', '2.1', '2.2']) pushed(daemon, PUSHED.app, tag);
    const params = { project: 'shop', environment: 'production', app: 'docs' };
    const tags = async () => (await daemon.client.listReleases({ params })).map(({ tag }) => tag);
    const before = await tags();
    await using visited = await fixture.visit('/registry');
    const { page } = visited;
    await page.getByRole('button', { name: 'Remove unused images…' }).click();
    await dialog(page).getByText(`${PUSHED.app}:2.0`, { exact: true }).waitFor();
    assert.equal(await dialog(page).getByText(`${PUSHED.app}:1.1`, { exact: true }).count(), 0, 'what is live stays');
    assert.deepEqual(await tags(), before);
    await dialog(page).getByRole('button', { name: 'Remove unused data' }).click();
    await page
      .getByText(/^Freed .* in the registry\.$/)
      .first()
      .waitFor();
    assert.deepEqual((await tags()).toSorted(), ['1.1', '2.2']);
  });

  it('reports that the registry is not running, with the reason', inLong, async () => {
    await using other = await openDashboard();
    const sentence = 'The registry cannot be started: its port is taken.';
    other.daemon.registry.setUnavailable(sentence);
    await other.daemon.restart();
    await using visited = await other.visit('/registry');
    await visited.page.getByText('not running').waitFor();
    await visited.page.getByText(sentence).waitFor();
    await visited.page.goto('/');
    await visited.page.getByText('The registry is not running', { exact: true }).waitFor();
  });

  it('explains the first push and shows empty tabs on a new instance', inLong, async () => {
    await using empty = await openDashboard({ seed: false });
    await using visited = await empty.visit('/registry');
    const { page } = visited;
    await page.getByText('No repositories yet').waitFor();
    await page.getByText('docker push localhost:5000/shop/production/web:v1', { exact: true }).first().waitFor();
    assert.deepEqual(await barriers(page), []);
    for (const [tab, words] of [
      ['images', 'No images yet'],
      ['credentials', 'No registry credentials'],
      ['volumes', 'No volumes yet'],
    ]) {
      await page.goto(`/registry?tab=${tab}`);
      await page.getByText(words ?? '').waitFor();
    }
  });
});

describe('images on the server', () => {
  it('are listed with the reason to keep them, and removed after a preview', async () => {
    await using visited = await fixture.visit('/registry?tab=images');
    const { page } = visited;
    const table = page.getByRole('table', { name: 'Images on the server' });
    await table.getByText('live', { exact: true }).first().waitFor();
    await table.getByText('needed for a rollback').first().waitFor();
    await page.getByRole('button', { name: 'Remove unused images…' }).click();
    await dialog(page).getByText('example/api:2026.12-crash').waitFor();
    await dialog(page).getByRole('button', { name: 'Remove unused data' }).click();
    await page.getByText(/Freed at most/).waitFor();
  });
});

describe('orphaned volumes and images', () => {
  it('can be assigned to a project or deleted, but not by a member', inLong, async () => {
    const { client, engine } = fixture.daemon;
    const { id } = await client.getInstance();
    const [kept, gone] = [`davit-${id}-v901`, `davit-${id}-db902`];
    await engine.ensureVolume(kept, 'shop/production/web');
    await engine.ensureVolume(gone, 'shop/production/main');
    await using visited = await fixture.visit('/registry?tab=unrecorded');
    const { page } = visited;
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row(kept).getByText('volume of an app').waitFor();

    await page.getByRole('button', { name: `Assign… ${kept}` }).click();
    await page.getByLabel('Project', { exact: true }).selectOption('shop');
    await page.getByRole('button', { name: 'Assign volume' }).click();
    await row(kept).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Delete… ${gone}` }).click();
    await dialog(page).getByRole('textbox').fill(gone);
    await dialog(page).getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByText('No orphaned volumes or images').waitFor();

    const volume = (await client.listVolumes()).find(({ name }) => name === kept);
    assert.equal(volume?.state, 'kept');
    assert.ok(!(await engine.volumes()).some(({ name }) => name === gone));
    await using member = await fixture.visit('/registry?tab=unrecorded', { role: 'member' });
    await member.page.getByText(ROLE).waitFor();
  });
});

describe('credentials of other registries', () => {
  it('can be added, tested, edited and removed without showing the password', async () => {
    await using visited = await fixture.visit('/registry?tab=credentials');
    const { page } = visited;
    await page.getByRole('button', { name: 'Add credentials…' }).click();
    await page.getByRole('textbox', { name: 'Registry' }).fill('ghcr.io');
    await page.getByRole('textbox', { name: 'Username' }).fill('ada');
    await page.getByLabel('Password or token').fill('s3cret-token');
    await page.getByRole('button', { name: 'Add credentials' }).click();
    const row = page.getByRole('row').filter({ hasText: 'ghcr.io' });
    await row.getByText('ada').waitFor();
    await row.getByRole('button', { name: 'Test ghcr.io' }).click();
    await page.getByText('ghcr.io accepted the credentials.').first().waitFor();
    await row.getByRole('button', { name: 'Edit… ghcr.io' }).click();
    assert.equal(await page.getByLabel('Password or token').inputValue(), '');
    await page.getByRole('textbox', { name: 'Username' }).fill('grace');
    await page.getByRole('button', { name: 'Save credentials' }).click();
    await row.getByText('grace').waitFor();
    assert.ok(!(await page.content()).includes('s3cret-token'));
    await row.getByRole('button', { name: 'Remove… ghcr.io' }).click();
    await dialog(page).getByRole('textbox').fill('ghcr.io');
    await dialog(page).getByRole('button', { name: 'Remove credentials' }).click();
    await page.getByText('No registry credentials').waitFor();
  });

  it('can be added for all projects or for selected projects', inLong, async () => {
    const { client } = fixture.daemon;
    await using visited = await fixture.visit('/registry?tab=credentials');
    const { page } = visited;
    const add = async (account: string, project?: string) => {
      await page.getByRole('button', { name: 'Add credentials…' }).click();
      await page.getByRole('textbox', { name: 'Registry' }).fill('ghcr.io');
      await page.getByRole('textbox', { name: 'Username' }).fill(account);
      await page.getByLabel('Password or token').fill('token');
      const send = page.getByRole('button', { name: 'Add credentials' });
      if (project !== undefined) {
        await page.getByRole('radio', { name: 'Selected projects' }).click();
        assert.equal(await send.getAttribute('aria-disabled'), 'true');
        await page.getByRole('checkbox', { name: project }).check();
      }
      await send.click();
      await row(account).waitFor();
    };
    const row = (account: string) => page.getByRole('row').filter({ hasText: account });
    await add('everyone');
    await add('shopkeeper', 'shop');
    await row('everyone').getByText('all projects').waitFor();
    await row('shopkeeper').getByText('shop', { exact: true }).waitFor();

    await row('shopkeeper').getByRole('button', { name: 'Edit… ghcr.io of shop' }).click();
    await page.getByRole('checkbox', { name: 'blog' }).check();
    await page.getByRole('button', { name: 'Save credentials' }).click();
    await row('shopkeeper')
      .getByRole('cell', { name: /^(blog and shop|shop and blog)$/ })
      .waitFor();

    const registries = await client.listRegistries();
    assert.deepEqual(
      registries.map(({ username, projects }) => [username, projects?.toSorted() ?? null]),
      [
        ['everyone', null],
        ['shopkeeper', ['blog', 'shop']],
      ],
    );
    for (const { id } of registries) await client.removeRegistry({ params: { registry: String(id) } });
    await page.getByText('No registry credentials').waitFor();
  });

  it('are refused with an error if the registry host is invalid', inLong, async () => {
    await using visited = await fixture.visit('/registry?tab=credentials&credentials=new');
    visited.expectRefusal(400);
    const { page } = visited;
    await page.getByRole('textbox', { name: 'Registry' }).fill('not a host');
    await page.getByRole('textbox', { name: 'Username' }).fill('ada');
    await page.getByLabel('Password or token').fill('x');
    await page.getByRole('button', { name: 'Add credentials' }).click();
    await page.getByRole('alert').filter({ hasText: 'must be the host of a registry' }).waitFor();
  });

  it('are hidden from a member, with the reason shown', inLong, async () => {
    await using visited = await fixture.visit('/registry?tab=credentials', { role: 'member' });
    await visited.page.getByText(ROLE).waitFor();
    assert.ok(!visited.asked.includes('GET /api/registries'));
  });
});

describe('volumes in the dashboard', () => {
  it('are listed by state, restored from the trash or moved to the trash', async () => {
    await using visited = await fixture.visit('/registry?tab=volumes');
    const { page } = visited;
    const row = (path: string) => page.getByRole('row').filter({ hasText: path });
    await row('/var/lib/queue').getByText('attached').waitFor();
    await row('/var/lib/old')
      .getByRole('button', { name: /^Restore/ })
      .click();
    await row('/var/lib/old').getByText('attached').waitFor();
    const kept = row('/var/lib/kept');
    await kept.getByText('detached (app deleted)').waitFor();
    const name = (await kept.locator('code').textContent()) ?? '';
    await kept.getByRole('button', { name: /^Delete/ }).click();
    await dialog(page).getByRole('textbox').fill(name);
    await dialog(page).getByRole('button', { name: 'Move to trash' }).click();
    await kept.getByText(/in the trash/).waitFor();
  });

  it('have their sizes measured on request', inLong, async () => {
    await using visited = await fixture.visit('/registry?tab=volumes');
    const { page } = visited;
    await page.getByRole('button', { name: 'Measure sizes' }).click();
    await page
      .getByRole('row')
      .filter({ hasText: '/var/lib/queue' })
      .getByText(/\d+ [KMG]?B|unknown/)
      .waitFor();
  });

  it('cannot be deleted by a member, with the reason shown', inLong, async () => {
    await using visited = await fixture.visit('/registry?tab=volumes', { role: 'member' });
    const { page } = visited;
    const button = page.getByRole('button', { name: /^Delete/ }).first();
    assert.equal(await button.getAttribute('aria-disabled'), 'true');
    await button.focus();
    await page.getByText(ROLE).waitFor();
  });
});

describe('the registry page for all users', () => {
  for (const path of someOf(TABS)) {
    it(`has no accessibility problems or overflow: ${path}`, () =>
      looksRight(fixture, path, { ready: (page) => page.getByRole('heading', { level: 2 }).first().waitFor() }));
  }

  it('shows the releases to a viewer, who cannot delete a release', inLong, async () => {
    await using visited = await fixture.visit(TABS[0] ?? '', { role: 'viewer' });
    const { page } = visited;
    const releases = page.getByRole('list', { name: `Releases of ${PUSHED.app}` });
    const button = releases.getByRole('button', { name: /^Delete/ }).last();
    assert.equal(await button.getAttribute('aria-disabled'), 'true');
    await button.focus();
    await page
      .getByText('This operation requires the role member, but your role is viewer. Ask an admin to do it.')
      .first()
      .waitFor();
  });
});
