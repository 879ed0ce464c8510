/** The users page in a real browser: creation, changes, blocking and deletion, and the permissions of each role. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ADMIN, cookieOf, signIn } from '@davit/testkit';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { isForgotten, looksRight } from '../../support/dashboard-looks.ts';
import { inLong, someOf } from '../../support/tiers.ts';

const PASSWORD = 'a long enough password';

describe('the users page', () => {
  let fixture: DashboardBrowser;
  before(async () => {
    fixture = await openDashboard();
  });
  after(() => fixture[Symbol.asyncDispose]());

  const make = (username: string, more: object = {}) =>
    fixture.daemon.client.createUser({ body: { username, password: PASSWORD, role: 'member', ...more } });
  const read = (user: string) => fixture.daemon.client.getUser({ params: { user } });
  const signsIn = async (username: string, password: string) =>
    (await signIn(fixture.daemon, { username, password })).status;

  it('creates a user with a generated password that is shown once', async () => {
    await using visited = await fixture.visit('/users');
    const { page } = visited;
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('Username').fill('nora');
    await page.getByRole('radio', { name: 'viewer' }).check();
    await page.getByRole('radio', { name: 'Selected projects' }).check();
    await page.getByRole('checkbox', { name: 'blog' }).check();
    await page.getByRole('button', { name: 'Create user' }).click();
    const password = (await page.locator('[data-shown-once]').textContent()) ?? '';
    assert.equal(await signsIn('nora', password), 200);
    const { role, projects } = await read('nora');
    assert.deepEqual([role, projects], ['viewer', ['blog']]);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'nora' }).waitFor();
    await isForgotten(page, password);
  });

  it('creates a user with a given password and reports invalid values', inLong, async () => {
    await using visited = await fixture.visit('/users?new=1');
    visited.expectRefusal(400, 409);
    const { page } = visited;
    const create = page.getByRole('button', { name: 'Create user' });
    await page.getByLabel('Username').fill('Not A Name');
    await page.getByRole('radio', { name: 'Set a password' }).check();
    await page.getByLabel('New password').fill('short');
    await create.click();
    await page.getByText('must contain only lower-case letters, digits').waitFor();
    await page.getByLabel('Username').fill('omar');
    await create.click();
    await page.getByText('must have at least 12 characters').waitFor();
    await page.getByLabel('Username').fill(ADMIN.username);
    await page.getByLabel('New password').fill(PASSWORD);
    await create.click();
    await page.getByText(`A user with the name ${ADMIN.username} already exists. Choose another name.`).waitFor();
    await page.getByLabel('Username').fill('omar');
    await create.click();
    await page.getByText('Created omar.').waitFor();
    assert.equal(await signsIn('omar', PASSWORD), 200);
    await isForgotten(page, PASSWORD);
  });

  it('changes the role and the projects of a user', inLong, async () => {
    await make('pia');
    await using visited = await fixture.visit('/users/pia');
    const { page } = visited;
    const save = page.getByRole('button', { name: 'Save permissions' });
    await page.getByRole('radio', { name: 'viewer' }).check();
    await page.getByRole('radio', { name: 'Selected projects' }).check();
    await page.getByRole('checkbox', { name: 'shop' }).check();
    await save.click();
    await page.getByText('Changed the permissions of pia.').waitFor();
    const { role, projects } = await read('pia');
    assert.deepEqual([role, projects], ['viewer', ['shop']]);
  });

  it('does not overwrite a concurrent change of the same user', inLong, async () => {
    await make('quin');
    await using visited = await fixture.visit('/users/quin');
    visited.expectRefusal(412);
    const { page } = visited;
    await page.getByRole('radio', { name: 'viewer' }).check();
    await fixture.daemon.client.patchUser({ params: { user: 'quin' }, body: { projects: ['blog'] } });
    await page.getByRole('button', { name: 'Save permissions' }).click();
    await page.getByRole('alert').waitFor();
    const { role, projects } = await read('quin');
    assert.deepEqual([role, projects], ['member', ['blog']]);
  });

  it('blocks and unblocks a user', inLong, async () => {
    await make('rosa');
    await using visited = await fixture.visit('/users/rosa');
    const { page } = visited;
    await page.getByRole('button', { name: 'Block…' }).click();
    await page.getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByRole('button', { name: 'Unblock…' }).waitFor();
    assert.notEqual(await signsIn('rosa', PASSWORD), 200);
    await page.getByRole('button', { name: 'Unblock…' }).click();
    await page.getByRole('button', { name: 'Unblock', exact: true }).click();
    await page.getByRole('button', { name: 'Block…' }).waitFor();
    assert.equal(await signsIn('rosa', PASSWORD), 200);
  });

  it('resets a password and shows the new password once', inLong, async () => {
    await make('sam');
    await using visited = await fixture.visit('/users/sam');
    const { page } = visited;
    await page.getByRole('button', { name: 'Reset password…' }).click();
    await page.getByRole('button', { name: 'Reset password', exact: true }).click();
    const password = (await page.locator('[data-shown-once]').textContent()) ?? '';
    assert.equal(await signsIn('sam', password), 200);
    assert.equal(await signsIn('sam', PASSWORD), 401);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await isForgotten(page, password);
  });

  it('revokes an API key and ends a session of a user', inLong, async () => {
    await make('tom');
    const cookie = cookieOf(await signIn(fixture.daemon, { username: 'tom', password: PASSWORD }));
    const json = { 'content-type': 'application/json', cookie, origin: fixture.daemon.url };
    const body = JSON.stringify({ name: 'ci' });
    const made = await fixture.daemon.send({ method: 'POST', path: '/api/users/me/api-keys', headers: json, body });
    const { key } = JSON.parse(made.text) as { key: string };
    await using visited = await fixture.visit('/users/tom');
    const { page } = visited;
    await page.getByRole('button', { name: 'Revoke ci' }).click();
    await page.getByLabel('Type “ci” to confirm').fill('ci');
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('tom has no API keys.').waitFor();
    await page.getByRole('button', { name: /^End session/ }).click();
    await page.getByRole('button', { name: 'End session', exact: true }).click();
    await page.getByText('tom has no sessions.').waitFor();
    await assert.rejects(fixture.daemon.clientFor(key).getMe(), { code: 'unauthorized' });
    assert.equal((await fixture.daemon.send({ path: '/api/users/me', headers: { cookie } })).status, 401);
  });

  it('deletes a user if the user name is typed', async () => {
    await make('uma');
    await using visited = await fixture.visit('/users/uma?do=delete');
    const { page } = visited;
    const remove = page.getByRole('button', { name: 'Delete user' });
    await page.getByLabel('Type “uma” to confirm').fill('um');
    assert.equal(await remove.getAttribute('aria-disabled'), 'true');
    await page.getByLabel('Type “uma” to confirm').fill('uma');
    await remove.click();
    await page.waitForURL('**/users');
    await page.getByRole('link', { name: ADMIN.username }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'uma' }).count(), 0);
    await assert.rejects(read('uma'), { code: 'not_found' });
  });

  it('does not let the last admin be blocked, deleted or demoted', inLong, async () => {
    await using visited = await fixture.visit(`/users/${ADMIN.username}`);
    const { page } = visited;
    const reason = `${ADMIN.username} is the last admin with access to all projects. Create another admin with access to all projects first.`;
    for (const name of ['Block…', 'Delete…']) {
      const button = page.getByRole('button', { name });
      assert.equal(await button.getAttribute('aria-disabled'), 'true', name);
      await button.hover();
      await page.getByText(reason).first().waitFor();
      await page.mouse.move(0, 0);
    }
    await page.getByRole('radio', { name: 'member' }).check();
    await page.getByText(reason).first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Save permissions' }).getAttribute('aria-disabled'), 'true');
    assert.equal(await page.getByRole('button', { name: 'Reset password…' }).getAttribute('aria-disabled'), 'true');
  });

  it('refuses viewers and members with a reason and requests no users', inLong, async () => {
    for (const role of someOf(['viewer', 'member'] as const)) {
      await using visited = await fixture.visit('/users', { role });
      const { page } = visited;
      await page
        .getByText(`This operation requires the role admin, but your role is ${role}. Ask an admin to do it.`)
        .first()
        .waitFor();
      assert.equal(await page.getByRole('button', { name: 'New user' }).getAttribute('aria-disabled'), 'true');
      await page.getByRole('link', { name: 'Roles' }).click();
      await page.getByRole('table', { name: 'Permissions of each role' }).waitFor();
      await page.goto(`/users/${ADMIN.username}`);
      await page
        .getByText(`This operation requires the role admin, but your role is ${role}. Ask an admin to do it.`)
        .first()
        .waitFor();
      assert.ok(!visited.asked.some((request) => /\/api\/users(\/(?!me)|$)/.test(request)), visited.asked.join());
    }
  });

  it('reports a user that does not exist', inLong, async () => {
    await using visited = await fixture.visit('/users/unknown');
    visited.expectRefusal(404);
    await visited.page.getByText('This user does not exist, or you are not allowed to see this user').waitFor();
  });

  it('has no accessibility problems or overflow, wide and narrow, light and dark', async () => {
    await make('vera', { projects: ['shop'] });
    const shows = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
    const pages = [
      ['/users', 'vera'],
      ['/users/vera', 'Browsers in which vera is signed in'],
      ['/users?new=1', 'Create user'],
      ['/users?tab=roles', 'A role applies to all projects'],
    ] as const;
    for (const [path, words] of someOf(pages, 2)) {
      await looksRight(fixture, path, { ready: shows(words) });
    }
  });
});
