/** Managed object stores in a real browser: creation, stop, public exposure, deletion and restore from the trash. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { button, dialog, looksRightAt, shown } from '../../support/data-steps.ts';
import { IS_LONG, inLong } from '../../support/tiers.ts';

const PAGES = [
  '/object-stores?new=object-store',
  '/object-stores',
  '/object-stores/files',
  '/object-stores/files?tab=settings',
];

let fixture: DashboardBrowser;
before(async () => {
  fixture = await openDashboard({ taskLimits: { readyEveryMs: 1 } });
});
after(() => fixture[Symbol.asyncDispose]());

const field = (page: Page, name: string) => dialog(page).getByRole('textbox', { name: new RegExp(`^${name}`) });

async function makeManaged(name: string): Promise<void> {
  const params = { project: 'shop', environment: 'production' };
  await fixture.daemon.client.createObjectStore({ params, query: { wait: 'true' }, body: { name } });
}

describe('managed object stores in the dashboard', () => {
  it('can be created with limits, stopped, started and exposed publicly', async () => {
    await using visited = await fixture.visit('/object-stores');
    const { page } = visited;
    await button(page, 'New store…').click();
    await dialog(page).getByRole('combobox', { name: 'Project and environment' }).selectOption('shop/staging');
    await field(page, 'Name').fill('pictures');
    await field(page, 'Memory').fill('1 GiB');
    await button(page, 'Create store').click();
    await page.waitForURL(/\/object-stores\/pictures$/);
    await shown(page, 'pictures', 'running');
    await button(page, 'Stop…').click();
    await button(page, 'Stop store').click();
    await shown(page, 'pictures', 'stopped');
    await button(page, 'Start').click();
    await shown(page, 'pictures', 'running');
    await button(page, 'Expose publicly…').click();
    await button(dialog(page), 'Expose publicly').click();
    await page.getByText(/^Public access is on. Clients connect to port 16\d{3}/).waitFor();
    await page.goto('/object-stores/pictures?tab=settings');
    await page.getByRole('textbox', { name: 'CPU' }).fill('2');
    await button(page, 'Save').click();
    await page.getByText('Saved.').first().waitFor();
    const { environment, limits, exposed } = await fixture.daemon.client.getObjectStore({
      params: { object_store: 'pictures' },
    });
    assert.deepEqual([environment, limits], ['staging', { cpu: 2, memory_bytes: 1024 ** 3 }]);
    assert.ok(exposed !== null);
  });

  it('stay visible with the reason after a failed creation, and can be created again', inLong, async () => {
    await using visited = await fixture.visit('/object-stores?new=object-store');
    // The page requests the object store once more after Davit has removed it.
    visited.expectRefusal(404);
    const { page } = visited;
    fixture.daemon.engine.controls.fail('createGroup');
    await field(page, 'Name').fill('lost');
    await button(page, 'Create store').click();
    await shown(page, 'lost', 'failed');
    const [task] = await fixture.daemon.client.listTasks({ query: { subject: 'lost', subject_kind: 'object_store' } });
    const reason = task?.error ?? assert.fail('the task has no reason');
    await page.getByRole('alert').filter({ hasText: reason }).first().waitFor();
    await page.goto('/object-stores');
    const failed = page.getByRole('list', { name: 'Failed creations' });
    await failed.getByText(reason).waitFor();
    await failed.getByRole('link', { name: 'lost' }).click();
    await button(page, 'Retry…').click();
    await button(page, 'Create store').click();
    await shown(page, 'lost', 'running');
  });

  it('can be restored from the trash or deleted permanently', inLong, async () => {
    await makeManaged('brief');
    await using visited = await fixture.visit('/object-stores/brief?tab=settings');
    // The page requests the deleted object store once more.
    visited.expectRefusal(404);
    const { page } = visited;
    const trash = page.getByRole('table', { name: 'Object stores in the trash' });
    await button(page, 'Delete…').click();
    await dialog(page).getByRole('textbox').fill('brief');
    await button(page, 'Move to trash').click();
    await button(trash, 'Restore brief').click();
    await page.waitForURL(/\/object-stores\/brief$/);
    await shown(page, 'brief', 'running');
    const params = { object_store: 'brief' };
    await fixture.daemon.client.deleteObjectStore({ params, query: { confirm: 'brief' } });
    await page.goto('/object-stores');
    await button(trash, 'Delete permanently… brief').click();
    await dialog(page).getByRole('textbox').fill('brief');
    await button(page, 'Delete permanently').click();
    await trash.waitFor({ state: 'detached' });
    await assert.rejects(fixture.daemon.client.getObjectStore({ params }), { code: 'not_found' });
  });

  it('cannot be managed by a viewer, and show no keys to the viewer', inLong, async () => {
    await makeManaged('files');
    await using visited = await fixture.visit('/object-stores/files', { role: 'viewer' });
    const { page } = visited;
    for (const name of ['Stop…', 'Start', 'Expose publicly…', 'Show keys', 'Check connection']) {
      assert.equal(await button(page, name).getAttribute('aria-disabled'), 'true', name);
    }
    await page.goto('/object-stores/files?tab=settings');
    assert.equal(await button(page, 'Delete…').getAttribute('aria-disabled'), 'true');
    assert.equal(await page.getByRole('textbox', { name: 'CPU' }).isDisabled(), true);
    assert.ok(!visited.asked.some((request) => request.includes('credentials')));
  });

  for (const path of IS_LONG ? PAGES : []) {
    it(`have no accessibility problems or overflow at ${path}`, () => looksRightAt(fixture, path));
  }
});
