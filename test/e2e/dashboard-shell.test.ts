/** The dashboard's frame in a real browser, as it is built and served: who is signed in, where one is, what goes wrong. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DashboardBrowser, openDashboard } from '../support/dashboard-browser.ts';

describe('the dashboard', () => {
  let ground: DashboardBrowser;
  before(async () => {
    ground = await openDashboard();
  });
  after(() => ground[Symbol.asyncDispose]());

  it('shows its overview to who is signed in', async () => {
    await using visited = await ground.visit('/');
    await visited.page.getByRole('heading', { level: 1 }).waitFor();
    assert.ok(visited.asked.includes('GET /api/users/me'));
  });
});
