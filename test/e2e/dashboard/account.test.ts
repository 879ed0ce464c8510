/** The account page in a real browser: roles, API keys, sessions and the password of the signed-in user. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { cookieOf, signIn } from '@davit/testkit';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { isForgotten, looksRight } from '../../support/dashboard-looks.ts';
import { inLong, someOf } from '../../support/tiers.ts';

const OWN = { username: 'mia', password: 'a long enough password' };
const NEXT = 'another password that is long';

describe('the account page', () => {
  let fixture: DashboardBrowser;
  before(async () => {
    fixture = await openDashboard();
    await fixture.daemon.client.createUser({ body: { ...OWN, role: 'member' } });
  });
  after(() => fixture[Symbol.asyncDispose]());

  /** Signs in as a user that no other test uses, because the tests change the password and the sessions. */
  async function visitAsMia() {
    const visited = await fixture.visit('/sign-in', { role: null });
    visited.expectRefusal(401);
    const origin = fixture.daemon.url;
    const answer = await visited.page.request.post('/api/auth/login', { data: OWN, headers: { origin } });
    assert.equal(answer.status(), 200, await answer.text());
    await visited.page.goto('/account');
    return visited;
  }

  it('lists the permissions of the user’s role', inLong, async () => {
    for (const [role, may] of someOf([
      ['member', ['View.', 'Read secrets.', 'Manage apps.']],
      ['viewer', ['View.']],
      ['admin', ['View.', 'Read secrets.', 'Manage apps.', 'Administer.']],
    ] as const)) {
      await using visited = await fixture.visit('/account', { role });
      const rights = visited.page.getByRole('heading', { name: 'Permissions' }).locator('..').getByRole('listitem');
      await rights.first().waitFor();
      const said = await rights.allTextContents();
      assert.deepEqual(
        said.map((text) => text.match(/^[^.]+\./)?.[0]),
        may,
        role,
      );
    }
  });

  it('shows a new API key once, with the commands that use the key', async () => {
    await using visited = await fixture.visit('/account');
    const { page } = visited;
    await page.getByRole('button', { name: 'New key' }).click();
    const form = page.getByRole('dialog', { name: 'New API key' });
    await form.getByLabel('Name').fill('ci of the shop');
    assert.equal(await form.getByRole('radio', { name: 'viewer' }).isChecked(), true);
    await form.getByRole('radio', { name: 'admin' }).check();
    const restriction = form.getByText('This key expires, so it cannot create users or API keys', { exact: false });
    await restriction.waitFor();
    await form.getByLabel('Expires').selectOption('Never');
    await restriction.waitFor({ state: 'detached' });
    await form.getByRole('radio', { name: 'member' }).check();
    await form.getByRole('radio', { name: 'Selected projects' }).check();
    await form.getByRole('checkbox', { name: 'shop' }).check();
    await form.getByLabel('Expires').selectOption('In 30 days');
    await form.getByRole('button', { name: 'Create key' }).click();

    const shown = page.getByRole('dialog', { name: 'API key “ci of the shop”' });
    const key = (await shown.locator('[data-shown-once]').textContent()) ?? '';
    assert.match(key, /^davit_[0-9a-f]{64}$/);
    const me = await fixture.daemon.clientFor(key).getMe();
    assert.deepEqual([me.role, me.projects, me.key?.name], ['member', ['shop'], 'ci of the shop']);
    const days = (Date.parse(me.key?.expires_at ?? '') - Date.now()) / 86_400_000;
    assert.ok(days > 29 && days <= 30, `${days} days`);
    const words = (await shown.textContent()) ?? '';
    for (const line of [
      `davit login ${fixture.daemon.url}`,
      'docker login localhost:5000 -u admin',
      `DAVIT_API_KEY=${key}`,
      `"Authorization": "Bearer ${key}"`,
      `${fixture.daemon.url}/mcp`,
    ]) {
      assert.ok(words.includes(line), line);
    }

    const size = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    const box = await shown.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, 'the dialog fits a phone');
    if (size !== null) await page.setViewportSize(size);
    await page.mouse.click(5, 5);
    assert.equal(await shown.isVisible(), true, 'a click outside does not close the dialog');
    await shown.getByRole('button', { name: 'Done' }).click();
    await shown.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: /^ci of the shop/ }).waitFor();
    await isForgotten(page, key);
    await page.goto('/account?new=1');
    await page.getByRole('dialog', { name: 'New API key' }).waitFor();
    await isForgotten(page, key);
  });

  it('rotates and revokes an API key', inLong, async () => {
    await using visited = await visitAsMia();
    const { page } = visited;
    await page.getByText('No API keys').waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('laptop');
    await page.getByRole('button', { name: 'Create key' }).click();
    const shown = page.locator('[data-shown-once]');
    const old = (await shown.textContent()) ?? '';
    await page.getByRole('button', { name: 'Done' }).click();

    await page.getByRole('button', { name: 'Rotate laptop' }).click();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await page.getByRole('dialog', { name: 'API key “laptop”' }).waitFor();
    const next = (await shown.textContent()) ?? '';
    assert.notEqual(next, old);
    await assert.rejects(fixture.daemon.clientFor(old).getMe(), { code: 'unauthorized' });
    assert.equal((await fixture.daemon.clientFor(next).getMe()).username, OWN.username);
    await page.getByRole('button', { name: 'Done' }).click();
    await isForgotten(page, next);

    await page.getByRole('button', { name: 'Revoke laptop' }).click();
    const revoke = page.getByRole('button', { name: 'Revoke key' });
    assert.equal(await revoke.getAttribute('aria-disabled'), 'true');
    await page.getByLabel('Type “laptop” to confirm').fill('laptop');
    await revoke.click();
    await page.getByText('No API keys').waitFor();
    await assert.rejects(fixture.daemon.clientFor(next).getMe(), { code: 'unauthorized' });
  });

  it('shows the error of an invalid key name at its field', inLong, async () => {
    await using visited = await fixture.visit('/account?new=1');
    visited.expectRefusal(400);
    await visited.page.getByLabel('Name').fill('two\u202eways');
    await visited.page.getByRole('button', { name: 'Create key' }).click();
    await visited.page.getByText('must be one line without control characters').waitFor();
    assert.equal(await visited.page.getByLabel('Name').getAttribute('aria-invalid'), 'true');
  });

  it('does not let a member create a key with the role admin', inLong, async () => {
    await using visited = await fixture.visit('/account?new=1', { role: 'member' });
    const admin = visited.page.getByRole('radio', { name: 'admin' });
    await admin.waitFor();
    assert.equal(await admin.isDisabled(), true);
    await visited.page.getByText('Your role is member. You cannot give a role with more permissions.').waitFor();
  });

  it('lists the sessions and ends another session of the user', inLong, async () => {
    await using visited = await visitAsMia();
    const { page } = visited;
    const other = cookieOf(
      await signIn(fixture.daemon, OWN, { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/150.0' }),
    );
    await page.reload();
    const rows = page.getByRole('table', { name: 'Your sessions' }).getByRole('row');
    await rows.filter({ hasText: 'this session' }).waitFor();
    const ownEnd = rows.filter({ hasText: 'this session' }).getByRole('button', { name: /^End session/ });
    assert.equal(await ownEnd.getAttribute('aria-disabled'), 'true');
    await rows
      .filter({ hasText: 'Firefox on Linux' })
      .getByRole('button', { name: /^End session/ })
      .click();
    await page.getByRole('button', { name: 'End session', exact: true }).click();
    await rows.filter({ hasText: 'Firefox on Linux' }).waitFor({ state: 'detached' });
    const response = await fixture.daemon.send({ path: '/api/users/me', headers: { cookie: other } });
    assert.equal(response.status, 401);
  });

  it('changes the password and explains why a password is refused', async () => {
    await using visited = await visitAsMia();
    visited.expectRefusal(400, 403);
    const { page } = visited;
    const change = page.getByRole('button', { name: 'Change password' });
    const fill = async (current: string, next: string, again = next) => {
      await page.getByLabel('Current password').fill(current);
      await page.getByLabel('New password', { exact: true }).fill(next);
      await page.getByLabel('Confirm new password').fill(again);
    };
    await fill(OWN.password, NEXT, 'something else');
    assert.equal(await change.getAttribute('aria-disabled'), 'true');
    await fill('not my password', NEXT);
    await change.click();
    await page.getByText('The current password is wrong. Check it and try again.').waitFor();
    await fill(OWN.password, 'short');
    await change.click();
    await page.getByText('must have at least 12 characters').waitFor();
    await fill(OWN.password, NEXT);
    await change.click();
    await page.getByText('Changed your password.').waitFor();
    await isForgotten(page, NEXT);
    // After the change, the browser has a new session cookie, and the live stream is open with that session.
    await page.reload();
    await change.waitFor();
    assert.equal(await page.getByText('Your session has expired').count(), 0);
    assert.equal((await signIn(fixture.daemon, { ...OWN, password: NEXT })).status, 200);
    assert.equal((await signIn(fixture.daemon, OWN)).status, 401);
  });

  it('keeps the selected color scheme after a reload', inLong, async () => {
    await using visited = await fixture.visit('/account');
    await visited.page.getByRole('radio', { name: 'Dark' }).check();
    await visited.page.reload();
    await visited.page.getByRole('radio', { name: 'Dark' }).waitFor();
    assert.equal(await visited.page.getByRole('radio', { name: 'Dark' }).isChecked(), true);
    assert.equal(await visited.page.locator('html').getAttribute('data-theme'), 'dark');
  });

  it('has no accessibility problems or overflow, wide and narrow, light and dark', async () => {
    const ready = (name: string) => (page: Page) => page.getByText(name).first().waitFor();
    const pages = [
      ['/account', 'A session expires after 7 days', 'admin'],
      ['/account', 'A session expires after 7 days', 'viewer'],
      ['/account?new=1', 'Create key', 'admin'],
    ] as const;
    for (const [path, words, role] of someOf(pages)) {
      await looksRight(fixture, path, { ready: ready(words), role });
    }
  });
});
