/**
 * Terminals in replicas, one-off commands and schedules in a real browser, under the dashboard's content security
 * policy.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { app as newApp } from '@davit/testkit';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { writingApp } from '../../support/log-writer.ts';
import { barriers, LOOKS, overhang } from '../../support/pages.ts';
import { inLong } from '../../support/tiers.ts';

const TIMEOUT = { timeout: 60_000 };

let fixture: DashboardBrowser;
before(async () => {
  fixture = await openDashboard({ seed: false });
});
after(() => fixture[Symbol.asyncDispose]());

const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor(TIMEOUT);
/** Rows of text on the terminal. */
const screen = (page: Page) => page.locator('.xterm-rows');
const shows = (page: Page, text: string) =>
  screen(page)
    .getByText(text)
    .first()
    .waitFor({ ...TIMEOUT, state: 'attached' });

/** Types a line at the prompt of the simulated shell. */
async function type(page: Page, line: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Terminal input' }).focus();
  await page.keyboard.type(`${line}\n`);
}

/** Returns the number of columns that the n-th `stty size` command printed. */
async function size(page: Page, nth: number): Promise<number> {
  const answer = screen(page)
    .getByText(/^\d+ \d+\s*$/)
    .nth(nth - 1);
  await answer.waitFor({ ...TIMEOUT, state: 'attached' });
  return Number(((await answer.textContent()) ?? '').trim().split(' ')[1]);
}

describe('the terminal page', () => {
  it('opens a shell that takes input, follows resizing and shows the exit code', async () => {
    const app = await writingApp(fixture.daemon);
    await using visited = await fixture.visit(app.page('terminal'));
    const { page } = visited;
    await says(page, 'Connected');
    await type(page, 'echo good morning');
    await shows(page, 'good morning');
    await type(page, 'stty size');
    const wide = await size(page, 1);
    await page.setViewportSize({ width: 700, height: 900 });
    await type(page, 'stty size');
    const narrow = await size(page, 2);
    assert.ok(narrow < wide, `${narrow} columns after ${wide}`);
    await type(page, 'exit 3');
    await says(page, 'Not connected: the program ended with exit code 3.');
    await page.getByRole('button', { name: 'Reconnect' }).click();
    await says(page, 'Connected');
  });

  it('shows program colors without breaking the content security policy', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    await using visited = await fixture.visit(app.page('terminal'));
    const { page } = visited;
    await says(page, 'Connected');
    await page.getByRole('textbox', { name: 'Terminal input' }).focus();
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('text/plain', '\\u001b[38;2;200;30;30mcoloured \\u001b[0m');
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    })()`);
    await shows(page, 'coloured');
    const style = await screen(page).getByText('coloured').first().getAttribute('style');
    assert.match(style ?? '', /color: rgb\(/);
    assert.equal(await page.locator('.xterm style').count(), 0);
    assert.ok(((await page.evaluate('document.adoptedStyleSheets.length')) as number) > 0);
  });

  it('reports a program that does not exist and connects to another program', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    await using visited = await fixture.visit(app.page('terminal', '?program=%2Fbin%2Ffish'));
    const { page } = visited;
    await says(page, /Not connected: The command does not exist in the image/);
    await page.getByLabel('Program', { exact: true }).selectOption('/bin/bash');
    await says(page, 'Connected');
  });

  it('reports a closed connection when the app is stopped', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    await using visited = await fixture.visit(app.page('terminal'));
    await says(visited.page, 'Connected');
    await fixture.daemon.client.stopApp({ params: app.params });
    await says(visited.page, /Not connected/);
  });

  it('closes the shell when the user leaves the page', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    await using visited = await fixture.visit(app.page('terminal'));
    await says(visited.page, 'Connected');
    const closed = () => fixture.daemon.log.lines.filter((line) => line.includes('shell closed')).length;
    const before = closed();
    await visited.page.goto(app.page('logs'));
    const deadline = Date.now() + 60_000;
    while (closed() === before && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(closed(), before + 1);
  });

  it('explains a missing terminal to viewers, for stopped apps and for new apps', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    {
      await using visited = await fixture.visit(app.page('terminal'), { role: 'viewer' });
      await says(
        visited.page,
        'This operation requires the role member, but your role is viewer. Ask an admin to do it.',
      );
    }
    await fixture.daemon.client.stopApp({ params: app.params });
    await using visited = await fixture.visit(app.page('terminal'), { role: 'member' });
    await says(visited.page, 'The app is stopped');
    const fresh = await newApp(fixture.daemon);
    await visited.page.goto(`/projects/${fresh.reference}/terminal`);
    await says(visited.page, 'This app was never deployed');
  });
});

describe('one-off commands in the dashboard', () => {
  it('show output and exit code and stay in the list of runs', async () => {
    const app = await writingApp(fixture.daemon);
    await using visited = await fixture.visit(app.page('terminal', '?run=1'));
    const { page } = visited;
    await page.getByLabel('Command', { exact: true }).fill("sh -c 'echo <b>one</b>; echo two >&2; exit 4'");
    await page.getByRole('button', { name: 'Run command' }).click();
    await says(page, 'failed · exit code 4');
    const output = page.getByRole('group', { name: 'Output of the command' });
    assert.match((await output.textContent()) ?? '', /<b>one<\/b>stderrtwo/);
    await page.getByRole('table', { name: 'Earlier runs' }).getByRole('button').first().click(TIMEOUT);
    const dialog = page.getByRole('dialog', { name: /^Run \d+/ });
    await dialog.getByRole('group', { name: 'Output' }).getByText('two').waitFor(TIMEOUT);
    await page.waitForURL(/show=\d+/);
  });

  it('can be ended by a member but not started by a viewer', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    {
      await using visited = await fixture.visit(app.page('terminal', '?run=1'), { role: 'member' });
      const { page } = visited;
      await page.getByLabel('Command', { exact: true }).fill('sleep 1000');
      await page.getByRole('button', { name: 'Run command' }).click();
      await page.getByRole('button', { name: 'End run' }).click(TIMEOUT);
      await page.getByRole('table', { name: 'Earlier runs' }).getByText('cancelled').waitFor(TIMEOUT);
    }
    await using visited = await fixture.visit(app.page('terminal', '?run=1'), { role: 'viewer' });
    const button = visited.page.getByRole('button', { name: 'Run command' });
    await button.waitFor(TIMEOUT);
    assert.equal(await button.getAttribute('aria-disabled'), 'true');
  });
});

describe('the list of schedules', () => {
  it('shows a schedule with its command and next run', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    const body = { name: 'Tidy', cron: '0 3 * * *', command: ['bin/tidy', '--all'] };
    await fixture.daemon.client.createSchedule({ params: app.params, body });
    await using visited = await fixture.visit(app.page('terminal', '?tab=schedules'), { role: 'viewer' });
    const row = visited.page.getByRole('row', { name: /Tidy/ });
    await row.getByText('bin/tidy --all').waitFor(TIMEOUT);
    assert.equal(await row.locator('time').count(), 1);
  });
});

describe('the terminal page for all users', () => {
  it('has no accessibility problems or overflow, wide and narrow, light and dark', async () => {
    const app = await writingApp(fixture.daemon);
    for (const { name, as } of LOOKS) {
      await using visited = await fixture.visit(app.page('terminal'), as);
      const { page } = visited;
      await says(page, 'Connected');
      assert.deepEqual(await barriers(page), [], name);
      assert.equal(await overhang(page), 0, name);
      await page.goto(app.page('terminal', '?run=1'));
      await page.getByRole('button', { name: 'Run command' }).waitFor(TIMEOUT);
      assert.deepEqual(await barriers(page), [], `${name}, run`);
    }
  });
});
