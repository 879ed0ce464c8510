/** Schedules of an app, and a list of runs with several pages, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { writingApp } from '../../support/log-writer.ts';
import { barriers, overhang, PHONE, WIDE } from '../../support/pages.ts';
import { inLong } from '../../support/tiers.ts';

const WAIT = { timeout: 60_000 };

let fixture: DashboardBrowser;
before(async () => {
  fixture = await openDashboard({ seed: false });
});
after(() => fixture[Symbol.asyncDispose]());

const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor(WAIT);
/** The label includes a note, such as a unit, so only the beginning is compared. */
const field = (page: Page, name: string) =>
  page
    .getByRole('dialog')
    .getByLabel(new RegExp(`^${name}`))
    .and(page.locator('input'));
const press = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click(WAIT);
/** Opens the menu of the schedule and selects an item. */
async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: /^Actions for / }).click(WAIT);
  await page.getByRole('menuitem', { name: item, exact: true }).click(WAIT);
}

describe('schedules in the dashboard', () => {
  it('can be created with a preview of the next run, changed, disabled and removed', async () => {
    const app = await writingApp(fixture.daemon);
    await using visited = await fixture.visit(app.page('terminal', '?tab=schedules'));
    const { page } = visited;
    const kept = async () => (await fixture.daemon.client.listSchedules({ params: app.params }))[0];
    await says(page, `davit schedule create ${app.reference} '0 3 * * *' -- <command>`);

    await page.getByRole('button', { name: 'New schedule' }).click(WAIT);
    await page.waitForURL(/new=1/, WAIT);
    await field(page, 'Cron expression').fill('30 4 * * 1-5');
    await field(page, 'Time zone').fill('Europe/Berlin');
    await says(page, 'Monday to Friday at 04:30 in Europe/Berlin.');
    await says(page, /^Next run: (Mon|Tue|Wed|Thu|Fri)\b.*04:30/);
    await field(page, 'Command').fill("sh -c 'echo tidy'");
    await field(page, 'Name').fill('tidy');
    await press(page, 'Create schedule');
    await says(page, 'Created tidy.');
    const made = await kept();
    assert.deepEqual(
      [made?.cron, made?.time_zone, made?.command, made?.enabled],
      ['30 4 * * 1-5', 'Europe/Berlin', ['sh', '-c', 'echo tidy'], true],
    );

    await choose(page, 'Change…');
    await page.waitForURL(/edit=\d+/, WAIT);
    assert.equal(await field(page, 'Command').inputValue(), "sh -c 'echo tidy'");
    await field(page, 'Cron expression').fill('@hourly');
    await press(page, 'Save schedule');
    await says(page, 'Changed tidy.');
    await page
      .getByRole('table', { name: 'Schedules' })
      .getByText(/Every hour, on the hour/)
      .waitFor(WAIT);
    assert.equal((await kept())?.cron, '@hourly');

    await choose(page, 'Disable');
    await says(page, 'Disabled tidy.');
    assert.equal((await kept())?.enabled, false);
    await choose(page, 'Remove…');
    await press(page, 'Remove schedule');
    await says(page, 'No schedules');
    assert.equal(await kept(), undefined);
  });

  it('show errors in the form before and after the request', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    await using visited = await fixture.visit(app.page('terminal', '?tab=schedules&new=1'));
    const { page } = visited;
    visited.expectRefusal(400);
    await field(page, 'Cron expression').fill('61 * * * *');
    await page
      .getByRole('alert')
      .getByText(/The cron expression is not valid/)
      .waitFor(WAIT);
    await field(page, 'Cron expression').fill('0 3 * * *');
    await page.getByRole('alert').waitFor({ ...WAIT, state: 'detached' });
    await field(page, 'Command').fill('true');
    await field(page, 'Timeout').fill('0');
    await press(page, 'Create schedule');
    await page.getByRole('alert').waitFor(WAIT);
    assert.deepEqual(await fixture.daemon.client.listSchedules({ params: app.params }), []);
  });

  it('can be run immediately, and the run is shown', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    const body = { cron: '@daily', command: ['echo', 'now'] };
    const { id } = await fixture.daemon.client.createSchedule({ params: app.params, body });
    await using visited = await fixture.visit(app.page('terminal', '?tab=schedules'));
    const { page } = visited;
    await choose(page, 'Run now…');
    await press(page, 'Run now');
    await page.waitForURL(/show=\d+/, WAIT);
    const dialog = page.getByRole('dialog', { name: /^Run \d+/ });
    await dialog.getByText('succeeded').waitFor(WAIT);
    await dialog.getByText(`schedule ${id}`).waitFor(WAIT);
  });

  it('list their own runs, and each run can be opened', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    const { client } = fixture.daemon;
    const [tidy, other] = await Promise.all(
      ['tidy', 'other'].map((name) =>
        client.createSchedule({ params: app.params, body: { cron: '@daily', command: ['echo', name], name } }),
      ),
    );
    assert.ok(tidy && other);
    await using visited = await fixture.visit(app.page('terminal', `?tab=schedules&runs=${tidy.id}`));
    const { page } = visited;
    const dialog = page.getByRole('dialog', { name: 'Earlier runs of tidy' });
    await dialog.getByText('No runs yet.').waitFor(WAIT);

    const run = async ({ id }: { id: number }) =>
      await client.runSchedule({ params: { ...app.params, schedule: String(id) } });
    const [ran] = [await run(tidy), await run(other)];
    const rows = dialog.locator('tbody tr');
    await rows.getByText('succeeded').waitFor(WAIT);
    assert.equal(await rows.count(), 1, 'those of the other are not among them');
    assert.deepEqual(await barriers(page), []);

    await dialog.getByRole('button', { name: 'Close' }).click(WAIT);
    await dialog.waitFor({ ...WAIT, state: 'detached' });
    assert.doesNotMatch(page.url(), /runs=/);
    await page.getByRole('button', { name: 'Actions for tidy' }).click(WAIT);
    await page.getByRole('menuitem', { name: 'Earlier runs', exact: true }).click(WAIT);
    await rows.getByRole('button', { name: 'succeeded' }).click(WAIT);
    await page
      .getByRole('dialog', { name: `Run ${ran.id}` })
      .getByText('echo tidy')
      .waitFor(WAIT);
  });

  it('are shown to a viewer with disabled actions and the reason', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    await fixture.daemon.client.createSchedule({ params: app.params, body: { cron: '@daily', command: ['true'] } });
    await using visited = await fixture.visit(app.page('terminal', '?tab=schedules&new=1'), { role: 'viewer' });
    const { page } = visited;
    const make = page.getByRole('button', { name: 'New schedule' });
    await make.waitFor(WAIT);
    assert.equal(await make.getAttribute('aria-disabled'), 'true');
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.getByRole('button', { name: /^Actions for / }).click(WAIT);
    const items = page.getByRole('menuitem');
    await items.first().waitFor(WAIT);
    for (const item of await items.all()) {
      const mayLook = (await item.textContent()) === 'Earlier runs';
      assert.equal(await item.getAttribute('aria-disabled'), mayLook ? null : 'true');
    }
    await says(page, 'This operation requires the role member, but your role is viewer. Ask an admin to do it.');
  });

  it('have no accessibility problems, and their list has no overflow', async () => {
    const app = await writingApp(fixture.daemon);
    await fixture.daemon.client.createSchedule({ params: app.params, body: { cron: '@daily', command: ['true'] } });
    for (const viewport of [WIDE, PHONE]) {
      await using visited = await fixture.visit(app.page('terminal', '?tab=schedules'), { viewport });
      const { page } = visited;
      await page.getByRole('table', { name: 'Schedules' }).waitFor(WAIT);
      assert.deepEqual(await barriers(page), [], `${viewport.width}`);
      assert.ok((await overhang(page)) <= 0, `${viewport.width}`);
      await page.goto(app.page('terminal', '?tab=schedules&new=1'));
      await says(page, /^Next /);
      assert.deepEqual(await barriers(page), [], `${viewport.width}, the form`);
    }
  });
});

describe('the list of command runs', () => {
  it('shows the newest runs first and earlier runs on request or after a reload', async () => {
    const app = await writingApp(fixture.daemon);
    const { client } = fixture.daemon;
    for (let run = 0; run < 55; run += 1) {
      await client.runInApp({ params: app.params, query: { detach: 'true' }, body: { command: ['true'] } });
    }
    await using visited = await fixture.visit(app.page('terminal', '?tab=run'));
    const { page } = visited;
    const rows = page.getByRole('table', { name: 'Earlier runs' }).locator('tbody tr');
    await rows.first().waitFor(WAIT);
    assert.equal(await rows.count(), 50);
    await page.getByRole('button', { name: 'Show earlier' }).click(WAIT);
    await rows.nth(54).waitFor(WAIT);
    assert.equal(await page.getByRole('button', { name: 'Show earlier' }).count(), 0);
    await page.waitForURL(/pages=2/, WAIT);
    await page.reload();
    await rows.nth(54).waitFor(WAIT);
    await client.runInApp({ params: app.params, query: { detach: 'true' }, body: { command: ['echo', 'newest'] } });
    await rows.nth(55).waitFor(WAIT);
    await rows.first().getByText('echo newest').waitFor(WAIT);
  });
});
