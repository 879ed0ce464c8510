/** The app settings for domains, ports, volumes and revisions, and the deletion of an app, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { paramsOf, SEEDED } from '@davit/testkit';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { isForgotten } from '../../support/dashboard-looks.ts';
import { barriers, LOOKS, overhang } from '../../support/pages.ts';
import { button, dialog, field, save, section, textOf, WAIT } from '../../support/settings-steps.ts';
import { IS_LONG, inLong } from '../../support/tiers.ts';

const SECTIONS = [
  'source',
  'health',
  'command',
  'resources',
  'stop',
  'domains',
  'tcp-ports',
  'volumes',
  'files',
  'labels',
  'revisions',
  'danger',
];
const FORMS = ['domains&new=1', 'domains&domain=1', 'volumes&new=1', 'revisions&revision=1', 'danger&delete=1'];
/** Sections that the quick tier checks, one of each kind. */
const USUAL = ['source', 'domains', 'danger'];

describe('app settings for domains, ports, volumes, files and revisions', () => {
  let fixture: DashboardBrowser;
  before(async () => {
    fixture = await openDashboard();
  });
  after(() => fixture[Symbol.asyncDispose]());
  const read = (reference: string) => fixture.daemon.client.getApp({ params: paramsOf(reference) });

  it('add, edit and remove a domain with DNS record, password and rate limit', async () => {
    await using visited = await fixture.visit(`${section(SEEDED.api, 'domains')}&new=1`);
    visited.expectRefusal(400);
    const { page } = visited;
    const add = dialog(page, 'Add domain');
    await field(add, 'Host').fill('not a host');
    await button(add, 'Add domain').click();
    await add
      .getByRole('alert')
      .getByText(/must be a host name/)
      .waitFor(WAIT);
    await field(add, 'Host').fill('api.example.com');
    await add.getByText('Redirect, passwords and limits').click();
    await button(add, 'Add user').click();
    await field(add, 'Name 1').fill('anna');
    await add.getByLabel('Password 1').fill('long enough');
    await field(add, 'Rate limit').fill('60');
    await button(add, 'Add domain').click();
    await add.waitFor({ ...WAIT, state: 'hidden' });
    const item = page
      .getByRole('list', { name: 'Domains', exact: true })
      .getByRole('listitem')
      .filter({ hasText: 'api.example.com' })
      .first();
    await item.getByText('password for anna').waitFor(WAIT);
    await item.getByText('DNS record').click();
    await item.getByText('CNAME').waitFor(WAIT);
    await item.getByText(/Davit cannot request a certificate/).waitFor(WAIT);
    await button(item, 'Edit api.example.com').click();
    const edit = dialog(page, 'Domain api.example.com');
    await field(edit, 'Redirect to').fill('example.com');
    await button(edit, 'Save').click();
    await item.getByText('redirects to example.com').waitFor(WAIT);

    const [domain] = (await read(SEEDED.api)).domains;
    assert.deepEqual(
      [domain?.redirect_to, domain?.basic_auth?.users, domain?.rate_limit],
      ['example.com', ['anna'], { requests_per_minute: 60 }],
    );
    await button(item, 'Remove api.example.com').click();
    await button(page, 'Remove domain').click();
    await item.waitFor({ ...WAIT, state: 'hidden' });
    assert.deepEqual((await read(SEEDED.api)).domains, []);
  });

  it('publish and remove a TCP port for an admin, but not for a member', inLong, async () => {
    await using visited = await fixture.visit(section(SEEDED.worker, 'tcp-ports'));
    visited.expectRefusal(400);
    const { page } = visited;
    await button(page, 'Publish port').click();
    const add = dialog(page, 'Publish port');
    await field(add, 'Port of the app').fill('99999');
    await button(add, 'Publish port').click();
    await add.getByRole('alert').waitFor(WAIT);
    await field(add, 'Port of the app').fill('5432');
    await button(add, 'Publish port').click();
    await add.waitFor({ ...WAIT, state: 'hidden' });
    const ports = page.getByRole('table', { name: 'TCP ports' });
    await ports.getByText('5432').waitFor(WAIT);
    await page.getByRole('button', { name: /^Remove port/ }).click();
    await button(page, 'Remove port').click();
    await ports.waitFor({ ...WAIT, state: 'hidden' });

    await using member = await fixture.visit(section(SEEDED.worker, 'tcp-ports'), { role: 'member' });
    const publish = button(member.page, 'Publish port');
    await publish.hover(WAIT);
    await member.page
      .getByText('This operation requires the role admin, but your role is member. Ask an admin to do it.')
      .waitFor(WAIT);
  });

  it('add a volume and move the volume to the trash if its name is typed', inLong, async () => {
    await using visited = await fixture.visit(section(SEEDED.fresh, 'volumes'));
    visited.expectRefusal(400);
    const { page } = visited;
    await button(page, 'Add volume').click();
    const add = dialog(page, 'Add volume');
    await field(add, 'Path in the app').fill('data');
    await button(add, 'Add volume').click();
    await add
      .getByRole('alert')
      .getByText(/must be an absolute path/)
      .waitFor(WAIT);
    await field(add, 'Path in the app').fill('/data');
    await button(add, 'Add volume').click();
    await add.waitFor({ ...WAIT, state: 'hidden' });
    const [volume] = (await read(SEEDED.fresh)).volumes;
    assert.ok(volume);
    await button(page, 'Remove /data').click();
    const remove = dialog(page, /Remove \/data/);
    await remove.getByText(/stays in the trash for 7 days/).waitFor(WAIT);
    await field(remove, `Type “${volume.name}” to confirm`).fill(volume.name);
    await button(remove, 'Move to trash').click();
    await remove.waitFor({ ...WAIT, state: 'hidden' });

    assert.deepEqual((await read(SEEDED.fresh)).volumes, []);
    const states = (await fixture.daemon.client.listVolumes()).map(({ state }) => state);
    assert.deepEqual(states, ['trash']);
  });

  it('compare revisions in words and restore an earlier revision', inLong, async () => {
    const params = paramsOf(SEEDED.broken);
    await fixture.daemon.client.patchApp({ params, body: { health: { path: '/up' } } });
    await fixture.daemon.client.setAppEnv({ params, body: { set: { TOKEN: 's3cret' }, secret: ['TOKEN'] } });
    await using visited = await fixture.visit(section(SEEDED.broken, 'revisions'));
    const { page } = visited;
    await button(page, 'Compare revision 1').click(WAIT);
    const compare = dialog(page, 'Restore revision 1?');
    const changes = compare.getByRole('list', { name: 'Changes' });
    await changes.waitFor(WAIT);
    const said = await textOf(changes);

    assert.match(said, /Health check: path\s+\/up → none/);
    assert.match(said, /Variable TOKEN\s+a secret value → not set/);
    await button(compare, 'Restore').click();
    await compare.waitFor({ ...WAIT, state: 'hidden' });
    await page.getByText('Restored an earlier revision').waitFor(WAIT);
    assert.equal((await read(SEEDED.broken)).health.path, null);
  });

  it('add, replace and remove files without showing their contents again', inLong, async () => {
    const params = { project: 'blog', environment: 'production' };
    const body = { ...params, name: 'filed', source: 'image' as const, image: 'example/filed' };
    await fixture.daemon.client.createApp({ body });
    const files = async () => (await read('blog/production/filed')).files;
    await using visited = await fixture.visit(section('blog/production/filed', 'files'));
    visited.expectRefusal(400);
    const { page } = visited;
    await button(page, 'Add file').click(WAIT);
    await field(page, 'Path of file 1').fill('/etc/app/config.yaml');
    await field(page, 'Contents of file 1').fill('password: not shown again');
    await save(page);
    const [first] = await files();
    assert.deepEqual([first?.path, first?.mode], ['/etc/app/config.yaml', '0644']);
    await isForgotten(page, 'not shown again');

    await button(page, 'Add file').click();
    await field(page, 'Path of file 2').fill('/etc/app/config.yaml/below');
    await button(page, 'Save').click();
    await page.getByText('file 2: the path must not use another file as a folder').waitFor(WAIT);
    await field(page, 'Path of file 2').fill('/run.sh');
    await page.getByLabel('Mode of file 2').fill('0755');
    await field(page, 'Contents of file 2').fill('#!/bin/sh');
    await save(page);
    const both = await files();
    assert.deepEqual(both[0], first, 'the other one');
    assert.equal(both[1]?.mode, '0755');

    await page.getByRole('button', { name: /^Replace contents… \/etc/ }).click();
    await field(page, 'Contents of file 1').fill('password: another');
    await save(page);
    assert.notEqual((await files())[0]?.version, first?.version);
    await button(page, 'Remove file /etc/app/config.yaml').click();
    await save(page);
    assert.deepEqual(await files(), both.slice(1));
  });

  it('delete an app if its name is typed, and name the kept volumes', inLong, async () => {
    const params = { project: 'blog', environment: 'production' };
    const body = { ...params, name: 'gone', source: 'image' as const, image: 'example/gone' };
    await fixture.daemon.client.createApp({ body });
    await fixture.daemon.client.addVolume({ params: { ...params, app: 'gone' }, body: { path: '/kept' } });
    await using visited = await fixture.visit(section('blog/production/gone', 'danger'));
    visited.expectRefusal(404);
    const { page } = visited;
    await button(page, 'Delete…').click(WAIT);
    const remove = dialog(page, 'Delete blog/production/gone?');
    await remove.getByText(/The volumes \(\/kept\) are kept/).waitFor(WAIT);
    assert.equal(await button(remove, 'Delete app').getAttribute('aria-disabled'), 'true');
    await field(remove, 'Type “blog/production/gone” to confirm').fill('blog/production/gone');
    await button(remove, 'Delete app').click();
    await page.waitForURL('**/projects/blog/production', WAIT);

    await assert.rejects(read('blog/production/gone'), { code: 'not_found' });
  });

  it('show all sections to a viewer with disabled buttons and fields', inLong, async () => {
    await using visited = await fixture.visit(section(SEEDED.web, 'source'), { role: 'viewer' });
    const { page } = visited;
    for (const name of IS_LONG ? SECTIONS : USUAL) {
      await page.goto(section(SEEDED.web, name));
      await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor(WAIT);
      const acting = page
        .getByRole('main')
        .getByRole('button', { name: /^(Save|Add|Publish|Edit(?! as (list|line))|Remove|Stop…|Delete…)/ });
      for (const one of await acting.all())
        assert.equal(await one.getAttribute('aria-disabled'), 'true', `${name}: ${await one.ariaSnapshot()}`);
      for (const input of await page.getByRole('main').getByRole('textbox').all())
        assert.equal(await input.isDisabled(), true, name);
    }
  });

  for (const { name: look, as } of LOOKS)
    it(`have no accessibility problems or overflow: ${look}`, async () => {
      await using visited = await fixture.visit(section(SEEDED.web, 'source'), as);
      const { page } = visited;
      for (const name of IS_LONG ? [...SECTIONS, ...FORMS] : USUAL) {
        await page.goto(section(SEEDED.web, name));
        const shown = name.includes('&')
          ? page.getByRole('dialog').getByRole('button').last()
          : page.getByRole('main').getByRole('heading', { level: 2 }).first();
        await shown.waitFor(WAIT);
        assert.deepEqual(await barriers(page), [], name);
        assert.equal(await overhang(page), 0, name);
      }
    });
});

it('an instance without a domain suggests no DNS record and keeps the default host of an app', async () => {
  await using fixture = await openDashboard({ settings: { domain: 'localhost' } });
  await using visited = await fixture.visit(section(SEEDED.web, 'domains'));
  const { page } = visited;
  const domains = page.getByRole('list', { name: 'Domains', exact: true }).getByRole('listitem');
  const item = domains.filter({ hasText: 'shop.example.com' });
  await item.getByText(/This instance has no public domain/).waitFor(WAIT);
  await item.getByRole('link', { name: 'Set one in the settings' }).waitFor(WAIT);
  assert.equal(await item.getByText('CNAME').count(), 0);
  // The instance has no certificates, so a link to HTTPS would show an error.
  const links = page.getByRole('list', { name: 'Domains', exact: true }).getByLabel('opens in a new tab').locator('..');
  for (const link of await links.all()) assert.match(String(await link.getAttribute('href')), /^http:/);
  await page.goto('/projects/shop/production');
  await page.getByRole('link', { name: /^web\.production\.shop\.localhost/ }).waitFor(WAIT);
  assert.equal(await page.getByRole('link', { name: /^shop\.example\.com/ }).count(), 0);
});
