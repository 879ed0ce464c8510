/** An app's log page in a real browser: hostile lines, an unavailable instance, a deleted app, and all roles. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { app as newApp } from '@davit/testkit';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { SameAddress } from '../../support/dashboard-restart.ts';
import { lines, shows, showsOnly, status, TIMEOUT, texts } from '../../support/log-steps.ts';
import { numbered, writingApp } from '../../support/log-writer.ts';
import { barriers, LOOKS, overhang } from '../../support/pages.ts';
import { inLong, someOf } from '../../support/tiers.ts';

const address = new SameAddress();
let fixture: DashboardBrowser;
before(async () => {
  fixture = await openDashboard({ seed: false, settings: address.settings });
});
after(() => fixture[Symbol.asyncDispose]());
describe('hostile log lines', () => {
  it('are shown as text without markup, control sequences or text direction changes', async () => {
    const app = await writingApp(fixture.daemon);
    app.write([
      '<img src=x onerror=alert(1)><script>alert(2)</script>',
      '\u001b]0;title\u0007\u001b[2J\u001b[31mred\u001b[0m \u001b[38;2;1;2;3mdark\u001b[0m',
      'user\u202egnp.exe',
      `long ${'x'.repeat(1024 * 1024)}`,
      'bell\u0007 nul\u0000',
      'the end',
    ]);
    await using visited = await fixture.visit(app.page('logs'));
    const { page } = visited;
    await shows(page, 'the end');
    assert.equal(await page.locator('[role=log] img, [role=log] script').count(), 0);
    const found = await texts(page);
    assert.ok(found.includes('<img src=x onerror=alert(1)><script>alert(2)</script>'));
    assert.ok(found.includes('red dark'));
    assert.ok(found.includes('user\ufffdgnp.exe'));
    assert.ok(found.includes('bell\u2407 nul\u2400'));
    assert.equal((await page.title()).includes('title'), false);
    assert.ok(found.every((text) => text.length <= 2_000));
    await page.getByRole('button', { name: 'Show all (1 MiB)' }).click();
    await page.getByRole('group', { name: 'Complete line' }).waitFor(TIMEOUT);
  });
});

describe('the log page with problems', () => {
  it('reports a lost connection and resumes without duplicate or missing lines', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    app.write(numbered(1, 20));
    await using visited = await fixture.visit(app.page('logs'));
    const { page } = visited;
    visited.expectRefusal(0, 500, 502, 503);
    await shows(page, 'line 20.');
    const back = await address.away(fixture.daemon);
    await status(page, 'Connection interrupted');
    await back();
    app.write(numbered(21, 30));
    await shows(page, 'line 30.');
    await lines(page).focus();
    await page.keyboard.press('Home');
    await showsOnly(page, ['listening', ...numbered(1, 30)]);
  });

  it('reports that the app was deleted', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    app.write(['here']);
    await using visited = await fixture.visit(app.page('logs'));
    visited.expectRefusal(404);
    await shows(visited.page, 'here');
    await fixture.daemon.client.deleteApp({ params: app.params });
    await visited.page
      .getByText(/This app does not exist|was deleted|not there/)
      .first()
      .waitFor(TIMEOUT);
  });

  it('shows an empty state without matching lines and without deployments', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    await using visited = await fixture.visit(app.page('logs', '?q=never+written'));
    const { page } = visited;
    await page.getByText('No matching lines').waitFor(TIMEOUT);
    await page.getByRole('button', { name: 'Show all lines', exact: true }).click();
    await shows(page, 'listening');
    const fresh = await newApp(fixture.daemon);
    await page.goto(`/projects/${fresh.reference}/logs`);
    await page.getByText('No deployments yet').waitFor(TIMEOUT);
  });
});

describe('the log page for all users', () => {
  it('shows the log lines to viewers and members', inLong, async () => {
    const app = await writingApp(fixture.daemon);
    app.write(['to be read']);
    for (const role of someOf(['viewer', 'member'] as const)) {
      await using visited = await fixture.visit(app.page('logs'), { role });
      await shows(visited.page, 'to be read');
    }
  });

  it('has no accessibility problems or overflow with long and colored lines', async () => {
    const app = await writingApp(fixture.daemon);
    app.write(['x'.repeat(3_000)]);
    app.write(['\u001b[33mcolour\u001b[0m \u001b[48;5;196mground\u001b[0m', 'WARN y', 'DEBUG z', 'ERROR x']);
    for (const { name, as } of LOOKS) {
      await using visited = await fixture.visit(app.page('logs', '?find=o&wrap=1'), as);
      await lines(visited.page)
        .getByText('ERR')
        .first()
        .waitFor({ ...TIMEOUT, state: 'attached' });
      assert.deepEqual(await barriers(visited.page), [], name);
      assert.equal(await overhang(visited.page), 0, name);
    }
  });
});
