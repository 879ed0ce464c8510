/**
 * Unsaved changes of variables in a real browser: errors, conflicts, an unavailable instance, permissions and affected
 * apps.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { paramsOf, SEEDED } from '@davit/testkit';
import type { Request } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { SameAddress } from '../../support/dashboard-restart.ts';
import { dialog, textOf, WAIT } from '../../support/settings-steps.ts';
import { inLong } from '../../support/tiers.ts';
import { API, addVariable, changeVariable, press, row, WEB } from '../../support/variable-steps.ts';

describe('editing variables', () => {
  const address = new SameAddress();
  let fixture: DashboardBrowser;
  before(async () => {
    fixture = await openDashboard({ settings: address.settings });
    const params = { project: 'shop', environment: 'production' };
    await fixture.daemon.client.setEnvironmentEnv({ params, body: { set: { LOG_LEVEL: 'warn' } } });
  });
  after(() => fixture[Symbol.asyncDispose]());
  const read = (reference: string) => fixture.daemon.client.getAppEnv({ params: paramsOf(reference) });

  it('keeps all changes if a value is refused and shows the reason', inLong, async () => {
    await using visited = await fixture.visit(WEB);
    visited.expectRefusal(400);
    const { page } = visited;
    await addVariable(page, 'TOO_LONG', 'x'.repeat(131_073));
    await addVariable(page, 'FINE', '2');
    await press(page, 'Review and save…');
    await press(page, 'Save');
    const review = dialog(page, 'Save these changes?');
    await review
      .getByRole('listitem')
      .filter({ hasText: 'TOO_LONG' })
      .getByText(/must be at most 128 KiB/)
      .waitFor(WAIT);
    await press(page, 'Back');
    await page.getByText('2 unsaved changes').waitFor(WAIT);
    await press(page, 'Remove TOO_LONG');
    await press(page, 'Review and save…');
    await press(page, 'Save');
    await review.waitFor({ ...WAIT, state: 'hidden' });

    const { vars } = await read(SEEDED.web);
    assert.equal(vars.FINE, '2');
    assert.equal('TOO_LONG' in vars, false);
  });

  it('keeps changes after a concurrent change and shows the current values', inLong, async () => {
    await using visited = await fixture.visit(WEB);
    visited.expectRefusal(412);
    const { page } = visited;
    await changeVariable(page, 'LOG_LEVEL', 'mine');
    await press(page, 'Review and save…');
    // The conflicting change is made while the page's request is in progress.
    let others = 0;
    await page.route('**/env', async (route, request: Request) => {
      if (request.method() === 'PATCH' && others++ === 0)
        await fixture.daemon.client.setAppEnv({
          params: paramsOf(SEEDED.web),
          body: { set: { LOG_LEVEL: 'theirs', THEIRS: 'x' } },
        });
      await route.continue();
    });
    await press(page, 'Save');
    const review = dialog(page, 'Save these changes?');
    await review.getByText('Another user changed these variables in the meantime').waitFor(WAIT);
    const said = await textOf(review);

    assert.match(said, /LOG_LEVEL\s+app[\s\S]*debug[\s\S]*→[\s\S]*theirs/);
    assert.match(said, /THEIRS\s+app[\s\S]*not set[\s\S]*→[\s\S]*x/);
    assert.equal((await read(SEEDED.web)).vars.LOG_LEVEL, 'theirs', 'nothing was written over it');
    await press(page, 'Save');
    await review.waitFor({ ...WAIT, state: 'hidden' });
    const { vars } = await read(SEEDED.web);
    assert.deepEqual([vars.LOG_LEVEL, vars.THEIRS], ['mine', 'x']);
  });

  it('keeps changes while the instance is unavailable and saves the changes afterwards', async () => {
    await using visited = await fixture.visit(API);
    visited.expectRefusal(0, 502, 503);
    const { page } = visited;
    await addVariable(page, 'LATER', '1');
    await press(page, 'Review and save…');
    const comeBack = await address.away(fixture.daemon);
    await press(page, 'Save');
    const review = dialog(page, 'Save these changes?');
    await review.getByRole('alert').waitFor(WAIT);
    await comeBack();
    await review.getByText('LATER', { exact: true }).waitFor(WAIT);
    await press(page, 'Save');
    await review.waitFor({ ...WAIT, state: 'hidden' });

    assert.equal((await read(SEEDED.api)).vars.LATER, '1');
  });

  it('asks before the user leaves unsaved changes', inLong, async () => {
    await using visited = await fixture.visit(WEB);
    const { page } = visited;
    await addVariable(page, 'DRAFT', '1');
    await page.getByRole('link', { name: 'Overview' }).last().click();
    const leave = dialog(page, 'Leave without saving?');
    await leave.getByRole('button', { name: 'Stay' }).click();
    await row(page, 'DRAFT').waitFor(WAIT);
    await page.getByRole('link', { name: 'Overview' }).last().click();
    await leave.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(`**/projects/${SEEDED.web}`, WAIT);
  });

  it('shows a viewer the names without secrets and disables all changes', inLong, async () => {
    await using visited = await fixture.visit(WEB, { role: 'viewer' });
    const { page } = visited;
    const hidden = row(page, 'API_TOKEN').getByText('hidden from your role');
    await hidden.waitFor(WAIT);
    const answered = page.waitForResponse((response) => response.url().endsWith('/env'), WAIT);
    await page.reload();
    const answer = await (await answered).text();
    await hidden.waitFor(WAIT);

    await page.getByText(/This operation requires the role member, but your role is viewer/).waitFor(WAIT);
    assert.equal(await page.getByRole('button', { name: /^Reveal/ }).count(), 0);
    for (const name of ['Add variable', 'Import .env', 'Edit LOG_LEVEL', 'Remove LOG_LEVEL']) {
      const button = page.getByRole('button', { name, exact: true });
      assert.equal(await button.getAttribute('aria-disabled'), 'true', name);
      await button.dispatchEvent('click');
    }
    assert.equal(await page.getByText('unsaved').count(), 0);
    assert.match(answer, /API_TOKEN/);
    assert.doesNotMatch(answer + (await page.content()), /s3cret/);
  });

  it('lets a member add a variable', inLong, async () => {
    await using visited = await fixture.visit(WEB, { role: 'member' });
    await addVariable(visited.page, 'BY_MEMBER', '1');
    await press(visited.page, 'Review and save…');
    await press(visited.page, 'Save');
    await dialog(visited.page, 'Save these changes?').waitFor({ ...WAIT, state: 'hidden' });

    assert.equal((await read(SEEDED.web)).vars.BY_MEMBER, '1');
  });

  it('changes variables of projects and environments and deploys the affected apps', inLong, async () => {
    await using visited = await fixture.visit('/projects/shop/settings');
    const { page } = visited;
    await addVariable(page, 'EVERYWHERE', '1');
    await press(page, 'Review and save…');
    await press(page, 'Save and deploy');
    await page.getByText('Saved. 4 deployments have started.').waitFor(WAIT);
    await page.goto('/projects/shop/staging/settings');
    await row(page, 'EVERYWHERE').getByRole('link', { name: 'project' }).waitFor(WAIT);
    await changeVariable(page, 'EVERYWHERE', '2');
    await press(page, 'Review and save…');
    await press(page, 'Save');
    await dialog(page, 'Save these changes?').waitFor({ ...WAIT, state: 'hidden' });

    const { effective } = await read(SEEDED.stagedWeb);
    const everywhere = effective.find(({ key }) => key === 'EVERYWHERE');
    assert.deepEqual([everywhere?.value, everywhere?.source], ['2', 'environment']);
    await fixture.daemon.settled();
  });
});
