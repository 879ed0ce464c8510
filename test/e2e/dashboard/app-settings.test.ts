/** The settings of an app in a real browser: how settings are changed, and how errors and conflicts are shown. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { paramsOf, SEEDED } from '@davit/testkit';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { SameAddress } from '../../support/dashboard-restart.ts';
import { button, dialog, field, nextChange, save, section, textOf, WAIT } from '../../support/settings-steps.ts';
import { inLong } from '../../support/tiers.ts';

describe('app settings for health, command, resources, source and labels', () => {
  const address = new SameAddress();
  let fixture: DashboardBrowser;
  before(async () => {
    fixture = await openDashboard({ settings: address.settings });
  });
  after(() => fixture[Symbol.asyncDispose]());
  const read = (reference: string) => fixture.daemon.client.getApp({ params: paramsOf(reference) });

  it('explain the health check and send only the changed fields', async () => {
    await using visited = await fixture.visit(section(SEEDED.web, 'health'));
    const { page } = visited;
    await field(page, 'Path').fill('/up');
    await field(page, 'Success threshold').fill('3');
    await page
      .getByText(/checks \/up at least every 500 ms. The new release gets requests after 3 successful checks in a row/)
      .waitFor(WAIT);
    const sent = nextChange(page);
    await save(page);
    const request = await sent;

    assert.deepEqual(request.postDataJSON(), { health: { path: '/up', successes: 3 } });
    assert.match((await request.headerValue('if-match')) ?? '', /^W\/"/);
    assert.equal((await read(SEEDED.web)).health.path, '/up');
    await page
      .getByText(/take effect with the next deployment/)
      .first()
      .waitFor(WAIT);
    assert.equal(await button(page, 'Save').getAttribute('aria-disabled'), 'true', 'nothing is changed any more');
  });

  it('show a server error at its field, keep the typed value, and clear the error after an edit', async () => {
    await using visited = await fixture.visit(section(SEEDED.web, 'health'));
    visited.expectRefusal(400);
    const { page } = visited;
    const timeout = field(page, 'Start timeout');
    await timeout.fill('999999');
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('must be at most').waitFor(WAIT);

    assert.equal(await timeout.inputValue(), '999999');
    assert.equal(await timeout.getAttribute('aria-invalid'), 'true');
    await timeout.fill('90');
    await page.getByRole('alert').waitFor({ ...WAIT, state: 'detached' });
    assert.equal(await timeout.getAttribute('aria-invalid'), null);
    await button(page, 'Discard').click();
    assert.equal(await timeout.inputValue(), '60');
  });

  it('report text that is not a number at its field, without a request', inLong, async () => {
    await using visited = await fixture.visit(section(SEEDED.web, 'health'));
    const { page } = visited;
    await field(page, 'Interval').fill('abc ms');
    await page.getByRole('alert').getByText('Enter a number without a unit').waitFor(WAIT);
    await button(page, 'Save').click();
    assert.equal(await field(page, 'Interval').inputValue(), 'abc ms');
    await field(page, 'Interval').fill('250');
    await page.getByRole('alert').waitFor({ ...WAIT, state: 'detached' });
    await page.getByText('at least every 250 ms').waitFor(WAIT);
    await button(page, 'Discard').click();
  });

  it('keep typed values after a concurrent change and warn about a conflicting field', inLong, async () => {
    await using visited = await fixture.visit(section(SEEDED.web, 'stop'));
    const { page } = visited;
    await field(page, 'Drain time').fill('99');
    // A concurrent change of another field is no conflict, so the page sends its change again.
    await fixture.daemon.client.patchApp({ params: paramsOf(SEEDED.web), body: { stop: { grace_s: 20 } } });
    visited.expectRefusal(412);
    await save(page);
    assert.deepEqual((await read(SEEDED.web)).stop, { signal: 'SIGTERM', drain_s: 99, grace_s: 20 });

    await field(page, 'Drain time').fill('5');
    /*
     * The conflicting change is made while the page's request is in progress. The page would show an earlier change
     * before the user saves.
     */
    let sent = 0;
    await page.route('**/api/apps/**', async (route, request) => {
      if (request.method() === 'PATCH' && sent++ === 0)
        await fixture.daemon.client.patchApp({ params: paramsOf(SEEDED.web), body: { stop: { drain_s: 77 } } });
      await route.continue();
    });
    await button(page, 'Save').click();
    await page.getByText(/Another user changed this to “77”/).waitFor(WAIT);
    assert.equal((await read(SEEDED.web)).stop.drain_s, 77, 'nothing was written over it');
    assert.equal(await field(page, 'Drain time').inputValue(), '5');
    await button(page, 'Save').click();
    await page.getByText(/to “77”/).waitFor({ ...WAIT, state: 'hidden' });
    assert.equal(sent, 2);
    assert.equal((await read(SEEDED.web)).stop.drain_s, 5);
  });

  it('keep typed values while the instance is unavailable and save them afterwards', inLong, async () => {
    await using visited = await fixture.visit(section(SEEDED.api, 'stop'));
    visited.expectRefusal(0, 502, 503);
    const { page } = visited;
    await field(page, 'Stop timeout').fill('42');
    const comeBack = await address.away(fixture.daemon);
    await button(page, 'Save').click();
    await page.getByRole('main').getByRole('alert').first().waitFor(WAIT);
    await comeBack();
    assert.equal(await field(page, 'Stop timeout').inputValue(), '42');
    await save(page);

    assert.equal((await read(SEEDED.api)).stop.grace_s, 42);
  });

  it('accept a command as a line with previewed arguments, or as a list', inLong, async () => {
    await using visited = await fixture.visit(section(SEEDED.api, 'command'));
    const { page } = visited;
    await field(page, 'Command').fill(`node server.js --title "two words`);
    await page.getByText('the quote " is not closed').waitFor(WAIT);
    await field(page, 'Command').fill(`node server.js --title "two words"`);
    const split = page.getByRole('list', { name: 'Command, as a list' }).getByRole('listitem');
    assert.deepEqual(await split.allInnerTexts(), ['node', 'server.js', '--title', 'two words']);
    await page.getByRole('button', { name: /^Edit as list ?: Release command$/ }).click();
    await button(page, 'Add argument').click();
    await field(page, 'Release command, argument 1').fill('migrate');
    await save(page);

    const { command, release_command } = await read(SEEDED.api);
    assert.deepEqual([command, release_command], [['node', 'server.js', '--title', 'two words'], ['migrate']]);
  });

  it('accept memory with units and apply limits and scale immediately', inLong, async () => {
    await using visited = await fixture.visit(section(SEEDED.api, 'resources'));
    const { page } = visited;
    await page.getByText(/Changes take effect immediately/).waitFor(WAIT);
    assert.equal(await button(page, 'Save and deploy…').count(), 0);
    await field(page, 'Memory').fill('lots');
    await page.getByText(/Enter an amount such as 512 MiB/).waitFor(WAIT);
    await field(page, 'Memory').fill('1.5g');
    await field(page, 'Replicas').fill('2');
    await button(page, 'Save').click();
    await page
      .getByText(/^Saved/)
      .first()
      .waitFor(WAIT);
    await fixture.daemon.settled();

    const { limits, scale, replicas } = await read(SEEDED.api);
    assert.deepEqual([limits.memory_bytes, scale], [1536 * 1024 ** 2, 2]);
    assert.equal(replicas.filter(({ state }) => state === 'ready').length, 2);
  });

  it('show the push target of an app and deploy a changed tag after a review', inLong, async () => {
    await using visited = await fixture.visit(section(SEEDED.stagedWeb, 'source'));
    const { page } = visited;
    await page.getByRole('combobox', { name: 'Source' }).selectOption('registry');
    await page.getByText(`/${SEEDED.stagedWeb}:v1`).first().waitFor(WAIT);
    await page.getByText('Each push deploys the app automatically.').waitFor(WAIT);
    await button(page, 'Discard').click();
    await field(page, 'Pinned tag').fill('v3');
    await button(page, 'Save and deploy…').click();
    const review = dialog(page, 'Save and deploy?');
    assert.match(await textOf(review.getByRole('list', { name: 'Changes' })), /Pinned tag\s+none → v3/);
    await button(review, 'Save and deploy').click();
    await page.waitForURL(/\/deployments\/\d+$/, WAIT);

    await fixture.daemon.settled();
    assert.equal((await read(SEEDED.stagedWeb)).tag, 'v3');
  });

  it('add and remove labels and refuse an invalid label key', inLong, async () => {
    const params = paramsOf(SEEDED.web);
    await fixture.daemon.client.patchApp({ params, body: { labels: { team: 'shop', old: '1' } } });
    await using visited = await fixture.visit(section(SEEDED.web, 'labels'));
    visited.expectRefusal(400);
    const { page } = visited;
    await button(page, 'Remove label old').click();
    await button(page, 'Add label').click();
    await field(page, 'Key 2').fill('Not a key');
    await button(page, 'Save').click();
    await page
      .getByRole('alert')
      .getByText(/name must/)
      .waitFor(WAIT);
    await field(page, 'Key 2').fill('tier');
    await field(page, 'Value 2').fill('front');
    await save(page);

    assert.deepEqual((await read(SEEDED.web)).labels, { team: 'shop', tier: 'front' });
  });

  it('ask before leaving unsaved changes, also for another section', inLong, async () => {
    await using visited = await fixture.visit(section(SEEDED.web, 'health'));
    const { page } = visited;
    await field(page, 'Path').fill('/typed');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Volumes' }).click();
    await button(dialog(page, 'Leave without saving?'), 'Stay on page').click();
    assert.equal(await field(page, 'Path').inputValue(), '/typed');
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Volumes' }).click();
    await button(dialog(page, 'Leave without saving?'), 'Leave page').click();
    await page.getByRole('heading', { name: 'Volumes' }).waitFor(WAIT);
  });
});
