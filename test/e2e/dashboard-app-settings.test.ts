/** The settings of apps, projects and environments in a real browser: each section, each role, and what goes wrong. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { paramsOf, SEEDED } from '@davit/testkit';
import type { Locator, Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../support/dashboard-browser.ts';
import { SameAddress } from '../support/dashboard-restart.ts';
import { barriers, overhang, PHONE, WIDE } from '../support/pages.ts';

const WAIT = { timeout: 60_000 };
const SECTIONS = [
  'source',
  'health',
  'command',
  'resources',
  'stop',
  'domains',
  'tcp-ports',
  'volumes',
  'labels',
  'revisions',
  'danger',
];

const section = (reference: string, name: string) => `/projects/${reference}/settings?section=${name}`;
/** A field by its label, which may have its unit behind it. */
const field = (page: Page | Locator, name: string) =>
  page.getByRole('textbox', { name: new RegExp(`^${RegExp.escape(name)}( (s|ms|cores|optional))?$`) });
const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const textOf = async (shown: Locator) => (await shown.allInnerTexts()).join('\n');

async function save(page: Page): Promise<void> {
  await button(page, 'Save').click(WAIT);
  await page.getByText('Saved.', { exact: true }).first().waitFor(WAIT);
}

describe('the settings of an app', () => {
  const address = new SameAddress();
  let ground: DashboardBrowser;
  before(async () => {
    ground = await openDashboard({ settings: address.settings });
  });
  after(() => ground[Symbol.asyncDispose]());
  const read = (reference: string) => ground.daemon.client.getApp({ params: paramsOf(reference) });

  it('say how a release is known to be ready, and send what was changed alone', async () => {
    await using visited = await ground.visit(section(SEEDED.web, 'health'));
    const { page } = visited;
    await field(page, 'Path').fill('/up');
    await field(page, 'Successes').fill('3');
    await page
      .getByText(/asked for \/up at least every 500 ms. It gets requests after 3 good answers in a row/)
      .waitFor(WAIT);
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await save(page);
    const request = await sent;

    assert.deepEqual(request.postDataJSON(), { health: { path: '/up', successes: 3 } });
    assert.match((await request.headerValue('if-match')) ?? '', /^W\/"/);
    assert.equal((await read(SEEDED.web)).health.path, '/up');
    await page
      .getByText(/take effect with the next deploy/)
      .first()
      .waitFor(WAIT);
    assert.equal(await button(page, 'Save').getAttribute('aria-disabled'), 'true', 'nothing is changed any more');
  });

  it('show the server’s sentence at its field, and keep what was typed', async () => {
    await using visited = await ground.visit(section(SEEDED.web, 'health'));
    visited.expectRefusal(400);
    const { page } = visited;
    await field(page, 'Grace').fill('soon');
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('must be a number').waitFor(WAIT);

    assert.equal(await field(page, 'Grace').inputValue(), 'soon');
    assert.equal(await field(page, 'Grace').getAttribute('aria-invalid'), 'true');
    await button(page, 'Reset').click();
    assert.equal(await field(page, 'Grace').inputValue(), '60');
  });

  it('keep what was typed when the app changes under it, and ask when it is the same field', async () => {
    await using visited = await ground.visit(section(SEEDED.web, 'stop'));
    const { page } = visited;
    await field(page, 'Drain').fill('99');
    // Another field: the change is sent again over it.
    await ground.daemon.client.patchApp({ params: paramsOf(SEEDED.web), body: { stop: { grace_s: 20 } } });
    visited.expectRefusal(412);
    await save(page);
    assert.deepEqual((await read(SEEDED.web)).stop, { signal: 'SIGTERM', drain_s: 99, grace_s: 20 });

    await field(page, 'Drain').fill('5');
    await ground.daemon.client.patchApp({ params: paramsOf(SEEDED.web), body: { stop: { drain_s: 77 } } });
    let meets = false;
    await page.route('**/api/apps/**', async (route, request) => {
      meets ||= request.method() === 'PATCH';
      await route.continue();
    });
    await page
      .getByText(/Somebody else changed this in the meantime, to «77»/)
      .or(button(page, 'Save'))
      .first()
      .waitFor(WAIT);
    if (!(await page.getByText(/to «77»/).isVisible())) await button(page, 'Save').click();
    await page.getByText(/Somebody else changed this in the meantime, to «77»/).waitFor(WAIT);
    assert.equal((await read(SEEDED.web)).stop.drain_s, 77, 'nothing was written over it');
    assert.equal(await field(page, 'Drain').inputValue(), '5');
    await button(page, 'Save').click();
    await page.getByText(/to «77»/).waitFor({ ...WAIT, state: 'hidden' });
    assert.ok(meets);
    assert.equal((await read(SEEDED.web)).stop.drain_s, 5);
  });

  it('are kept while the instance is away, and can be saved when it is back', async () => {
    await using visited = await ground.visit(section(SEEDED.api, 'stop'));
    visited.expectRefusal(0, 502, 503);
    const { page } = visited;
    await field(page, 'Grace').fill('42');
    const comeBack = await address.away(ground.daemon);
    await button(page, 'Save').click();
    await page.getByRole('main').getByRole('alert').first().waitFor(WAIT);
    await comeBack();
    assert.equal(await field(page, 'Grace').inputValue(), '42');
    await save(page);

    assert.equal((await read(SEEDED.api)).stop.grace_s, 42);
  });

  it('take a command as a line whose splitting is shown, or as a list', async () => {
    await using visited = await ground.visit(section(SEEDED.api, 'command'));
    const { page } = visited;
    await field(page, 'Command').fill(`node server.js --title "two words`);
    await page.getByText('the quote " is never closed').waitFor(WAIT);
    await field(page, 'Command').fill(`node server.js --title "two words"`);
    const split = page.getByRole('list', { name: 'Command, split' }).getByRole('listitem');
    assert.deepEqual(await split.allInnerTexts(), ['node', 'server.js', '--title', 'two words']);
    await page
      .getByRole('button', { name: 'As a list : Release command' })
      .or(page.getByRole('button', { name: 'As a list: Release command' }))
      .click();
    await button(page, 'Add an argument').click();
    await field(page, 'Release command, argument 1').fill('migrate');
    await save(page);

    const { command, release_command } = await read(SEEDED.api);
    assert.deepEqual([command, release_command], [['node', 'server.js', '--title', 'two words'], ['migrate']]);
  });

  it('take amounts of memory with units; scale and limits act at once', async () => {
    await using visited = await ground.visit(section(SEEDED.api, 'resources'));
    const { page } = visited;
    await page.getByText(/These act at once/).waitFor(WAIT);
    assert.equal(await button(page, 'Save and deploy…').count(), 0);
    await field(page, 'Memory').fill('lots');
    await page.getByText(/must be an amount such as 512 MiB/).waitFor(WAIT);
    await field(page, 'Memory').fill('1.5g');
    await field(page, 'Instances').fill('2');
    await button(page, 'Save').click();
    await page
      .getByText(/^Saved/)
      .first()
      .waitFor(WAIT);
    await ground.daemon.settled();

    const { limits, scale, instances } = await read(SEEDED.api);
    assert.deepEqual([limits.memory_bytes, scale], [1536 * 1024 ** 2, 2]);
    assert.equal(instances.filter(({ state }) => state === 'ready').length, 2);
  });

  it('say where a pushed app is pushed to, and deploy what was changed after it was shown', async () => {
    await using visited = await ground.visit(section(SEEDED.stagedWeb, 'source'));
    const { page } = visited;
    await page.getByRole('combobox', { name: 'Source' }).selectOption('registry');
    await page.getByText(`/${SEEDED.stagedWeb}:v1`).first().waitFor(WAIT);
    await page.getByText('Each push is deployed by itself.').waitFor(WAIT);
    await button(page, 'Reset').click();
    await field(page, 'Pinned tag').fill('v3');
    await button(page, 'Save and deploy…').click();
    const review = dialog(page, 'Save and deploy?');
    assert.match(
      await textOf(review.getByRole('list', { name: 'Changes' })),
      /Pinned tag\s+none: follow what is deployed → v3/,
    );
    await button(review, 'Save and deploy').click();
    await page.waitForURL(/\/deployments\/\d+$/, WAIT);

    await ground.daemon.settled();
    assert.equal((await read(SEEDED.stagedWeb)).tag, 'v3');
  });

  it('find an app by labels, which are added and taken away', async () => {
    const params = paramsOf(SEEDED.web);
    await ground.daemon.client.patchApp({ params, body: { labels: { team: 'shop', old: '1' } } });
    await using visited = await ground.visit(section(SEEDED.web, 'labels'));
    visited.expectRefusal(400);
    const { page } = visited;
    await button(page, 'Remove the label old').click();
    await button(page, 'Add a label').click();
    await field(page, 'Key 2').fill('Not a key');
    await button(page, 'Save').click();
    await page
      .getByRole('alert')
      .getByText(/name that is not allowed/)
      .waitFor(WAIT);
    await field(page, 'Key 2').fill('tier');
    await field(page, 'Value 2').fill('front');
    await save(page);

    assert.deepEqual((await read(SEEDED.web)).labels, { team: 'shop', tier: 'front' });
  });

  it('ask before what was typed is left, also for another section', async () => {
    await using visited = await ground.visit(section(SEEDED.web, 'health'));
    const { page } = visited;
    await field(page, 'Path').fill('/typed');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Volumes' }).click();
    await button(dialog(page, 'Leave without saving?'), 'Stay').click();
    assert.equal(await field(page, 'Path').inputValue(), '/typed');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Volumes' }).click();
    await button(dialog(page, 'Leave without saving?'), 'Leave').click();
    await page.getByRole('heading', { name: 'Volumes' }).waitFor(WAIT);
  });

  it('give an app domains, with the record to make and rules', async () => {
    await using visited = await ground.visit(`${section(SEEDED.api, 'domains')}&new=1`);
    visited.expectRefusal(400);
    const { page } = visited;
    const add = dialog(page, 'Add a domain');
    await field(add, 'Host').fill('not a host');
    await button(add, 'Add the domain').click();
    await add
      .getByRole('alert')
      .getByText(/must be a host name/)
      .waitFor(WAIT);
    await field(add, 'Host').fill('api.example.com');
    await add.getByText('Redirect, passwords and limits').click();
    await button(add, 'Add a user').click();
    await field(add, 'Name 1').fill('anna');
    await add.getByLabel('Password 1').fill('long enough');
    await field(add, 'Requests a minute').fill('60');
    await button(add, 'Add the domain').click();
    await add.waitFor({ ...WAIT, state: 'hidden' });
    const item = page
      .getByRole('list', { name: 'Domains', exact: true })
      .getByRole('listitem')
      .filter({ hasText: 'api.example.com' })
      .first();
    await item.getByText('asks anna for a password').waitFor(WAIT);
    await item.getByText('The DNS record that leads here').click();
    await item.getByText('CNAME').waitFor(WAIT);
    await item.getByText(/No certificate is ordered yet/).waitFor(WAIT);
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
    await button(page, 'Remove the domain').click();
    await item.waitFor({ ...WAIT, state: 'hidden' });
    assert.deepEqual((await read(SEEDED.api)).domains, []);
  });

  it('publish ports of the machine, for admins alone', async () => {
    await using visited = await ground.visit(section(SEEDED.worker, 'tcp-ports'));
    visited.expectRefusal(400);
    const { page } = visited;
    await button(page, 'Publish a port').click();
    const add = dialog(page, 'Publish a port');
    await field(add, 'Port of the app').fill('99999');
    await button(add, 'Publish the port').click();
    await add.getByRole('alert').waitFor(WAIT);
    await field(add, 'Port of the app').fill('5432');
    await button(add, 'Publish the port').click();
    await add.waitFor({ ...WAIT, state: 'hidden' });
    const ports = page.getByRole('table', { name: 'TCP ports' });
    await ports.getByText('5432').waitFor(WAIT);
    await page.getByRole('button', { name: /^Remove port/ }).click();
    await button(page, 'Remove the port').click();
    await ports.waitFor({ ...WAIT, state: 'hidden' });

    await using member = await ground.visit(section(SEEDED.worker, 'tcp-ports'), { role: 'member' });
    const publish = button(member.page, 'Publish a port');
    await publish.hover(WAIT);
    await member.page.getByText('This needs the role admin; yours is member.').waitFor(WAIT);
  });

  it('add volumes, and put them into the trash with a typed name', async () => {
    await using visited = await ground.visit(section(SEEDED.fresh, 'volumes'));
    visited.expectRefusal(400);
    const { page } = visited;
    await button(page, 'Add a volume').click();
    const add = dialog(page, 'Add a volume');
    await field(add, 'Path in the app').fill('data');
    await button(add, 'Add the volume').click();
    await add
      .getByRole('alert')
      .getByText(/must be an absolute path/)
      .waitFor(WAIT);
    await field(add, 'Path in the app').fill('/data');
    await button(add, 'Add the volume').click();
    await add.waitFor({ ...WAIT, state: 'hidden' });
    const [volume] = (await read(SEEDED.fresh)).volumes;
    assert.ok(volume);
    await button(page, 'Remove /data').click();
    const remove = dialog(page, /Remove \/data/);
    await remove.getByText(/stays in the trash for 7 days/).waitFor(WAIT);
    await field(remove, `Type «${volume.name}» to confirm`).fill(volume.name);
    await button(remove, 'Move to the trash').click();
    await remove.waitFor({ ...WAIT, state: 'hidden' });

    assert.deepEqual((await read(SEEDED.fresh)).volumes, []);
    const states = (await ground.daemon.client.listVolumes()).map(({ state }) => state);
    assert.deepEqual(states, ['trash']);
  });

  it('compare revisions in words, and bring one back', async () => {
    const params = paramsOf(SEEDED.broken);
    await ground.daemon.client.patchApp({ params, body: { health: { path: '/up' } } });
    await ground.daemon.client.setAppEnv({ params, body: { set: { TOKEN: 's3cret' }, secret: ['TOKEN'] } });
    await using visited = await ground.visit(section(SEEDED.broken, 'revisions'));
    const { page } = visited;
    await button(page, 'Compare revision 1').click(WAIT);
    const compare = dialog(page, 'Bring back revision 1?');
    const changes = compare.getByRole('list', { name: 'Changes' });
    await changes.waitFor(WAIT);
    const said = await textOf(changes);

    assert.match(said, /Health: path\s+\/up → none/);
    assert.match(said, /Variable TOKEN\s+a secret value → not set/);
    await button(compare, 'Bring back').click();
    await compare.waitFor({ ...WAIT, state: 'hidden' });
    await page.getByText('An earlier one was brought back').waitFor(WAIT);
    assert.equal((await read(SEEDED.broken)).health.path, null);
  });

  it('delete an app after its name was typed, and say what goes and what stays', async () => {
    const params = { project: 'blog', environment: 'production' };
    const body = { ...params, name: 'gone', source: 'image' as const, image: 'example/gone' };
    await ground.daemon.client.createApp({ body });
    await ground.daemon.client.addVolume({ params: { ...params, app: 'gone' }, body: { path: '/kept' } });
    await using visited = await ground.visit(section('blog/production/gone', 'danger'));
    visited.expectRefusal(404);
    const { page } = visited;
    await button(page, 'Delete…').click(WAIT);
    const remove = dialog(page, 'Delete blog/production/gone?');
    await remove.getByText(/Its volumes \(\/kept\) are kept/).waitFor(WAIT);
    assert.equal(await button(remove, 'Delete the app').getAttribute('aria-disabled'), 'true');
    await field(remove, 'Type «blog/production/gone» to confirm').fill('blog/production/gone');
    await button(remove, 'Delete the app').click();
    await page.waitForURL('**/projects/blog/production', WAIT);

    await assert.rejects(read('blog/production/gone'), { code: 'not_found' });
  });

  it('show everything to a viewer and say why nothing can be changed', async () => {
    await using visited = await ground.visit(section(SEEDED.web, 'source'), { role: 'viewer' });
    const { page } = visited;
    for (const name of SECTIONS) {
      await page.goto(section(SEEDED.web, name));
      await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor(WAIT);
      const acting = page
        .getByRole('main')
        .getByRole('button', { name: /^(Save|Add|Publish|Edit|Remove|Stop…|Delete…)/ });
      for (const one of await acting.all())
        assert.equal(await one.getAttribute('aria-disabled'), 'true', `${name}: ${await one.ariaSnapshot()}`);
      for (const input of await page.getByRole('main').getByRole('textbox').all())
        assert.equal(await input.isDisabled(), true, name);
    }
  });

  for (const [size, viewport] of Object.entries({ wide: WIDE, phone: PHONE }))
    for (const colorScheme of ['light', 'dark'] as const)
      it(`have no barriers, ${size} and ${colorScheme}`, async () => {
        await using visited = await ground.visit(section(SEEDED.web, 'source'), { viewport, colorScheme });
        const { page } = visited;
        const states = [
          ...SECTIONS,
          'domains&new=1',
          'domains&domain=1',
          'volumes&new=1',
          'revisions&revision=1',
          'danger&delete=1',
        ];
        for (const name of states) {
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

describe('the settings of projects and environments', () => {
  let ground: DashboardBrowser;
  before(async () => {
    ground = await openDashboard();
  });
  after(() => ground[Symbol.asyncDispose]());

  it('make and delete environments; production goes with its project only', async () => {
    await using visited = await ground.visit('/projects/shop/settings');
    visited.expectRefusal(404);
    const { page } = visited;
    const list = page.getByRole('list', { name: 'Environments' });
    await list.getByText('4 apps').or(list.getByText('3 apps')).waitFor(WAIT);
    const production = button(page, 'Delete production');
    assert.equal(await production.getAttribute('aria-disabled'), 'true');
    await production.hover();
    await page.getByText('production goes with its project only.').waitFor(WAIT);
    await button(page, 'New environment…').click();
    await page.getByRole('dialog').getByRole('textbox').fill('qa');
    await button(page, 'Create the environment').click();
    await page.waitForURL('**/projects/shop/qa', WAIT);
    await page.goto('/projects/shop/qa/settings?delete=1');
    const remove = dialog(page, 'Delete shop/qa?');
    await remove.getByText('There are no apps in it.').waitFor(WAIT);
    await field(remove, 'Type «shop/qa» to confirm').fill('shop/qa');
    await button(remove, 'Delete the environment').click();
    await page.waitForURL('**/projects/shop', WAIT);

    const { environments } = await ground.daemon.client.getProject({ params: { project: 'shop' } });
    assert.deepEqual(environments, ['production', 'staging']);
  });

  it('delete a project after its name was typed, with what goes named', async () => {
    await using visited = await ground.visit('/projects/blog/settings?delete-project=1');
    visited.expectRefusal(404);
    const { page } = visited;
    const remove = dialog(page, 'Delete the project blog?');
    await remove.getByText('blog/production/site').waitFor(WAIT);
    await field(remove, 'Type «blog» to confirm').fill('blog');
    await button(remove, 'Delete the project').click();
    await page.waitForURL('**/projects', WAIT);

    assert.deepEqual(
      (await ground.daemon.client.listProjects()).map(({ slug }) => slug),
      ['shop'],
    );
  });

  it('are shown to a member, who may not delete the project, and to a viewer, who may change nothing', async () => {
    await using member = await ground.visit('/projects/shop/settings', { role: 'member' });
    const remove = button(member.page, 'Delete…');
    await remove.hover(WAIT);
    await member.page.getByText('This needs the role admin; yours is member.').waitFor(WAIT);
    assert.equal(await button(member.page, 'Delete staging').getAttribute('aria-disabled'), null);

    await using viewer = await ground.visit('/projects/shop/staging/settings', { role: 'viewer' });
    await button(viewer.page, 'Delete…').waitFor(WAIT);
    for (const name of ['Delete…', 'Add variable', 'Paste .env'])
      assert.equal(await button(viewer.page, name).getAttribute('aria-disabled'), 'true', name);
  });

  it('say that there is no such project', async () => {
    await using visited = await ground.visit('/projects/nothing/settings');
    visited.expectRefusal(404);
    await visited.page
      .getByText(/no such|There is no/i)
      .first()
      .waitFor(WAIT);
  });

  for (const [size, viewport] of Object.entries({ wide: WIDE, phone: PHONE }))
    for (const colorScheme of ['light', 'dark'] as const)
      it(`have no barriers, ${size} and ${colorScheme}`, async () => {
        await using visited = await ground.visit('/projects/shop/settings', { viewport, colorScheme });
        const { page } = visited;
        for (const path of [
          '/projects/shop/settings',
          '/projects/shop/staging/settings',
          '/projects/shop/settings?delete-project=1',
          '/projects/shop/staging/settings?delete=1',
        ]) {
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
