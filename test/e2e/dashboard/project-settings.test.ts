/** The settings of projects and environments in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { barriers, LOOKS, overhang } from '../../support/pages.ts';
import { button, dialog, field, WAIT } from '../../support/settings-steps.ts';
import { inLong, someOf } from '../../support/tiers.ts';

describe('project and environment settings', () => {
  let fixture: DashboardBrowser;
  before(async () => {
    fixture = await openDashboard();
  });
  after(() => fixture[Symbol.asyncDispose]());

  it('create and delete an environment, but do not offer to delete production', async () => {
    await using visited = await fixture.visit('/projects/shop/settings');
    visited.expectRefusal(404);
    const { page } = visited;
    const list = page.getByRole('list', { name: 'Environments' });
    await list.getByText('4 apps').or(list.getByText('3 apps')).waitFor(WAIT);
    const production = button(page, 'Delete production');
    assert.equal(await production.getAttribute('aria-disabled'), 'true');
    await production.hover();
    await page.getByText('The environment “production” can only be deleted together with its project.').waitFor(WAIT);
    await button(page, 'New environment…').click();
    await page.getByRole('dialog').getByRole('textbox').fill('qa');
    await button(page, 'Create environment').click();
    await page.waitForURL('**/projects/shop/qa', WAIT);
    await page.goto('/projects/shop/qa/settings?delete=1');
    const remove = dialog(page, 'Delete shop/qa?');
    await remove.getByText('There are no apps.').waitFor(WAIT);
    await field(remove, 'Type “shop/qa” to confirm').fill('shop/qa');
    await button(remove, 'Delete environment').click();
    await page.waitForURL('**/projects/shop', WAIT);

    const { environments } = await fixture.daemon.client.getProject({ params: { project: 'shop' } });
    assert.deepEqual(environments, ['production', 'staging']);
  });

  it('show the quota beside its usage and follow changes live', async () => {
    const { client } = fixture.daemon;
    await using visited = await fixture.visit('/projects/shop/settings');
    const row = (name: string) => visited.page.getByRole('row').filter({ hasText: name });
    const use = async () => (await client.getProjectQuota({ params: { project: 'shop' } })).used;
    await row('Replicas').getByText('No limit').waitFor(WAIT);
    await row('Disk use').getByText('not measured, because no disk limit is set').waitFor(WAIT);

    await client.patchProjectQuota({ params: { project: 'shop' }, body: { replicas: 4321 } });

    await row('Replicas').getByText('4321').waitFor(WAIT);
    await row('Replicas')
      .getByText(String((await use()).replicas), { exact: true })
      .waitFor(WAIT);
  });

  it('save changed quota limits and show an invalid limit at its field', inLong, async () => {
    const { client } = fixture.daemon;
    await client.putProjectQuota({ params: { project: 'shop' }, body: { replicas: 100, volumes: 7 } });
    await using visited = await fixture.visit('/projects/shop/settings');
    visited.expectRefusal(400);
    const { page } = visited;
    await button(page, 'Edit quota…').click(WAIT);
    const form = dialog(page, 'Quota of shop');
    assert.equal(await form.getByLabel('Replicas').inputValue(), '100');
    await form.getByLabel('Memory limits').fill('1.5 GiB');
    await form.getByLabel('CPU limits (cores)').fill('two');
    await button(form, 'Save quota').click();
    await form.getByRole('alert').first().waitFor(WAIT);
    assert.equal(await form.getByLabel('CPU limits (cores)').getAttribute('aria-invalid'), 'true');
    await form.getByLabel('CPU limits (cores)').fill('2');
    await form.getByLabel('Volumes').fill('');
    await button(form, 'Save quota').click();
    await page.getByRole('row').filter({ hasText: 'Memory limits' }).getByText('1.5 GiB').waitFor(WAIT);
    await form.waitFor({ ...WAIT, state: 'detached' });

    const { replicas, memory_bytes, cpu, volumes } = await client.getProjectQuota({ params: { project: 'shop' } });
    assert.deepEqual([replicas, memory_bytes, cpu, volumes], [100, 1.5 * 2 ** 30, 2, null]);
    await client.putProjectQuota({ params: { project: 'shop' }, body: {} });
  });

  it('delete a project if its name is typed, list its contents, and follow the task', async () => {
    await using visited = await fixture.visit('/projects/blog/settings?delete-project=1');
    visited.expectRefusal(404);
    const { page } = visited;
    const remove = dialog(page, 'Delete project blog?');
    await remove.getByText('app blog/production/site').waitFor(WAIT);
    await fixture.daemon.client.createEnvironment({ params: { project: 'blog' }, body: { slug: 'late' } });
    await remove.getByText('environment late').waitFor(WAIT);
    await field(remove, 'Type “blog” to confirm').fill('blog');
    await button(remove, 'Delete project').click();
    await page.waitForURL('**/tasks/*', WAIT);
    await page.getByText('Delete the project and its environments').waitFor(WAIT);
    await page.getByText('succeeded', { exact: true }).first().waitFor(WAIT);

    assert.deepEqual(
      (await fixture.daemon.client.listProjects()).map(({ slug }) => slug),
      ['shop'],
    );
  });

  it('keep a member from deleting the project and a viewer from all changes', inLong, async () => {
    await using member = await fixture.visit('/projects/shop/settings', { role: 'member' });
    const remove = button(member.page, 'Delete…');
    await remove.hover(WAIT);
    await member.page
      .getByText('This operation requires the role admin, but your role is member. Ask an admin to do it.')
      .waitFor(WAIT);
    assert.equal(await button(member.page, 'Delete staging').getAttribute('aria-disabled'), null);

    await using viewer = await fixture.visit('/projects/shop/staging/settings', { role: 'viewer' });
    await button(viewer.page, 'Delete…').waitFor(WAIT);
    for (const name of ['Delete…', 'Add variable', 'Import .env'])
      assert.equal(await button(viewer.page, name).getAttribute('aria-disabled'), 'true', name);
  });

  it('report a project that does not exist', inLong, async () => {
    await using visited = await fixture.visit('/projects/nothing/settings');
    visited.expectRefusal(404);
    await visited.page.getByText('This project does not exist').first().waitFor(WAIT);
  });

  for (const { name, as } of LOOKS)
    it(`have no accessibility problems or overflow: ${name}`, async () => {
      await using visited = await fixture.visit('/projects/shop/settings', as);
      const { page } = visited;
      for (const path of someOf([
        '/projects/shop/settings',
        '/projects/shop/staging/settings',
        '/projects/shop/settings?delete-project=1',
        '/projects/shop/settings?edit-quota=1',
        '/projects/shop/staging/settings?delete=1',
      ])) {
        await page.goto(path);
        await page
          .getByRole(path.includes('?') ? 'dialog' : 'table')
          .first()
          .waitFor(WAIT);
        assert.deepEqual(await barriers(page), [], path);
        assert.equal(await overhang(page), 0, path);
      }
    });
});
