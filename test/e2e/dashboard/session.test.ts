/** Sessions in a real browser: the claim of an instance, sign-in, sign-out, expiry, and an unavailable instance. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ADMIN } from '@davit/testkit';
import { freePort } from '@davit/testkit/ports';
import type { Page } from 'playwright-core';
import { openDashboard } from '../../support/dashboard-browser.ts';
import { barriers, becomesTrue, finds, LOOKS, overhang, PHONE } from '../../support/pages.ts';
import { inLong } from '../../support/tiers.ts';

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

async function signIn(page: Page, { username, password }: { username: string; password: string }): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('an unclaimed instance', () => {
  it('is claimed with the token from the URL, and the token leaves the URL', async () => {
    await using fixture = await openDashboard({ claim: false });
    await using visited = await fixture.visit(`/claim#token=${fixture.daemon.setupToken}`, { viewport: PHONE });
    const { page } = visited;
    await heading(page, 'Create the first admin').waitFor();
    await becomesTrue(page, "location.hash === ''");
    assert.equal(await page.getByLabel('Setup token').inputValue(), fixture.daemon.setupToken);
    await page.getByLabel('Username').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.getByLabel('Confirm password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Create admin' }).click();
    await heading(page, 'Overview').waitFor();
    const again = await page.context().newPage();
    await again.goto('/claim');
    await heading(again, 'Overview').waitFor();
  });

  it('takes the token from a URL that is opened on the claim page', inLong, async () => {
    await using fixture = await openDashboard({ claim: false });
    await using visited = await fixture.visit('/');
    const { page } = visited;
    await heading(page, 'Create the first admin').waitFor();
    // Only the fragment of the URL changes, so the browser does not load the page again.
    await page.goto(`/claim#token=${fixture.daemon.setupToken}`);
    await finds(
      () => page.getByLabel('Setup token').inputValue(),
      (token) => token === fixture.daemon.setupToken,
      'the token',
    );
    await becomesTrue(page, "location.hash === ''");
  });

  it('leads other pages to the claim form, which reports invalid values', inLong, async () => {
    await using fixture = await openDashboard({ claim: false });
    await using visited = await fixture.visit('/projects');
    visited.expectRefusal(403, 400);
    const { page } = visited;
    await heading(page, 'Create the first admin').waitFor();
    assert.deepEqual(await barriers(page), []);
    const claim = page.getByRole('button', { name: 'Create admin' });
    await page.getByLabel('Setup token').fill('wrong');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByLabel('Confirm password').fill('other');
    await page.getByText('The passwords do not match.').waitFor();
    await page.getByLabel('Confirm password').fill('short');
    await claim.click();
    await page.getByText('must have at least 12 characters').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.getByLabel('Confirm password').fill(ADMIN.password);
    await claim.click();
    await page.getByRole('alert').filter({ hasText: 'token' }).waitFor();
    await page.getByLabel('Setup token').fill(fixture.daemon.setupToken);
    await claim.click();
    await heading(page, 'Overview').waitFor();
  });
});

describe('the sign-in page', () => {
  it('logs no error to the console before, during and after a sign-in', async () => {
    await using fixture = await openDashboard();
    for (const path of ['/', '/sign-in', '/projects/shop/production/web']) {
      // Without a declared refusal, the visit fails at its end for every error in the console.
      await using visited = await fixture.visit(path, { role: null });
      const { page, asked } = visited;
      await heading(page, 'Sign in').waitFor();
      assert.deepEqual(
        asked.filter((request) => request.includes('/api/')).filter((request) => request !== 'GET /api/setup'),
        [],
      );
      assert.match((await page.locator('meta[name=description]').getAttribute('content')) ?? '', /\w+ .*\.$/);
      await signIn(page, ADMIN);
      await heading(page, path.endsWith('/web') ? 'web' : 'Overview').waitFor();
      await page.locator('[data-live=live]').waitFor();
    }
  });

  it('leads back to the requested page, or to the overview for signed-in users', async () => {
    await using fixture = await openDashboard();
    await using visited = await fixture.visit('/projects/shop/production/web/logs?q=listening', { role: null });
    visited.expectRefusal(401);
    const { page } = visited;
    await heading(page, 'Sign in').waitFor();
    await signIn(page, { ...ADMIN, password: 'not the password' });
    await page
      .getByRole('alert')
      .filter({ hasText: 'The user name or the password is wrong. Check both and try again.' })
      .waitFor();
    await signIn(page, ADMIN);
    await page.waitForURL('**/projects/shop/production/web/logs?q=listening');
    await heading(page, 'web').waitFor();
    await page.goto('/sign-in');
    await heading(page, 'Overview').waitFor();
  });

  it('never redirects a signed-in user to another site', inLong, async () => {
    await using fixture = await openDashboard({ seed: false });
    await using visited = await fixture.visit('/');
    const { page } = visited;
    for (const to of ['//evil.test/', 'https://evil.test/', '/\\evil.test', '/sign-in', 'javascript:alert(1)']) {
      await page.goto(`/sign-in?to=${encodeURIComponent(to)}`);
      await heading(page, 'Overview').waitFor();
      assert.equal(new URL(page.url()).host, new URL(fixture.daemon.url).host, to);
    }
  });

  it('disables the button for a waiting time after too many failed logins', inLong, async () => {
    await using fixture = await openDashboard({ seed: false });
    await using visited = await fixture.visit('/sign-in', { role: null });
    visited.expectRefusal(401, 429);
    const { page } = visited;
    const wait = page.getByRole('button', { name: /^Sign in \(in .+\)$/ });
    for (let i = 0; (await wait.count()) === 0; i += 1) {
      assert.ok(i < 100, 'it may be tried a hundred times');
      const answered = page.waitForResponse('**/api/auth/login');
      await signIn(page, { ...ADMIN, password: `wrong ${i}` });
      await answered;
      await page.getByRole('alert').waitFor();
    }
    assert.equal(await wait.getAttribute('aria-disabled'), 'true');
  });

  it('shows the command that resets a forgotten password', inLong, async () => {
    await using fixture = await openDashboard({ seed: false });
    await using visited = await fixture.visit('/sign-in', { role: null });
    await visited.page.getByLabel('Username').fill('ada');
    await visited.page.getByText('Forgot password?').click();
    await visited.page.getByText('davit --local user set ada --reset-password').waitFor();
  });

  it('has no accessibility problems or overflow, wide and narrow, light and dark', async () => {
    await using fixture = await openDashboard({ seed: false });
    for (const { as } of LOOKS) {
      await using visited = await fixture.visit('/sign-in', { role: null, ...as });
      await heading(visited.page, 'Sign in').waitFor();
      assert.deepEqual(await barriers(visited.page), []);
      assert.equal(await overhang(visited.page), 0);
    }
  });

  it('appears after the user signs out, and no cookies remain', async () => {
    await using fixture = await openDashboard({ seed: false });
    await using visited = await fixture.visit('/', { ownSession: true });
    visited.expectRefusal(401);
    const { page, context } = visited;
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, 'Sign in').waitFor();
    assert.deepEqual(await context.cookies(), []);
    assert.equal(await page.evaluate("localStorage.getItem('davit-signed-in')"), null);
    await page.goBack();
    await heading(page, 'Sign in').waitFor();
  });
});

describe('a browser in which a user was signed in', () => {
  it('requests the data of a page while the session is checked', async () => {
    await using fixture = await openDashboard({ seed: false });
    await using visited = await fixture.visit('/');
    const { page, context } = visited;
    await heading(page, 'Overview').waitFor();
    const held = Promise.withResolvers<void>();
    await context.route('**/api/users/me', async (route) => {
      await held.promise;
      await route.continue();
    });
    const requested = page.waitForRequest('**/api/apps');
    await page.goto('/');
    await requested;
    held.resolve();
    await heading(page, 'Overview').waitFor();
  });
});

describe('a browser that several users share', () => {
  it('shows no data of the previous user in any tab', inLong, async () => {
    await using fixture = await openDashboard({ seed: false });
    const bob = { username: 'bob', password: ADMIN.password };
    await fixture.daemon.client.createUser({ body: { ...bob, role: 'viewer' } });
    await using visited = await fixture.visit('/', { ownSession: true });
    visited.expectRefusal(401, 403);
    const { page, context } = visited;
    const other = await context.newPage();
    await other.goto('/users');
    const row = other.getByRole('row', { name: /bob/ });
    await row.waitFor();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(other, 'Sign in').waitFor();
    assert.equal(await row.count(), 0);

    // An expired session keeps the typed values for the same user, but not for another user.
    await signIn(page, ADMIN);
    await heading(page, 'Overview').waitFor();
    await other.goto('/users');
    await row.waitFor();
    for (const { id } of await fixture.daemon.client.listUserSessions({ params: { user: ADMIN.username } })) {
      await fixture.daemon.client.endUserSession({ params: { user: ADMIN.username, session: String(id) } });
    }
    await other.getByRole('dialog', { name: 'Your session has expired' }).waitFor();
    await page.getByRole('button', { name: 'Sign in as another user' }).click();
    await signIn(page, bob);
    await heading(page, 'Overview').waitFor();
    await row.waitFor({ state: 'detached' });
    await other.getByRole('button', { name: 'Account of bob' }).waitFor();
    assert.equal(await row.count(), 0);
  });
});

describe('a session that expires while the user works', () => {
  it('keeps the typed values and continues after the user signs in again', async () => {
    await using fixture = await openDashboard();
    await using visited = await fixture.visit('/projects?new=project', { role: 'admin', ownSession: true });
    visited.expectRefusal(401);
    const { page } = visited;
    const field = page.getByRole('dialog').getByRole('textbox').first();
    await field.fill('half-typed');
    for (const { id } of await fixture.daemon.client.listUserSessions({ params: { user: ADMIN.username } })) {
      await fixture.daemon.client.endUserSession({ params: { user: ADMIN.username, session: String(id) } });
    }
    const over = page.getByRole('dialog', { name: 'Your session has expired' });
    await over.waitFor();
    assert.deepEqual(await barriers(page), []);
    await over.getByLabel('Password').fill('not the password');
    await over.getByRole('button', { name: 'Sign in', exact: true }).click();
    await over.getByText('The user name or the password is wrong. Check both and try again.').waitFor();
    await over.getByLabel('Password').fill(ADMIN.password);
    await over.getByRole('button', { name: 'Sign in', exact: true }).click();
    await over.waitFor({ state: 'detached' });
    assert.equal(await field.inputValue(), 'half-typed');
    await page.locator('[data-live=live]').waitFor();
    await fixture.daemon.client.createProject({ body: { slug: 'made-meanwhile' } });
    await page.getByText('made-meanwhile').first().waitFor();
  });
});

describe('the dashboard while the instance is unavailable', () => {
  it('keeps the page readable, refuses changes and catches up after the restart', inLong, async () => {
    const listen = `127.0.0.1:${await freePort()}`;
    await using fixture = await openDashboard({ settings: { listen } });
    await using visited = await fixture.visit('/projects', { ownSession: true });
    visited.expectRefusal(0, 503);
    const { page } = visited;
    await heading(page, 'Projects').waitFor();
    await page.locator('[data-live=live]').waitFor();
    await fixture.daemon.stop();
    await page.getByText('Cannot connect to the instance.').waitFor();
    await page.locator('[data-live=away]').waitFor();
    await page.getByText('shop', { exact: true }).first().waitFor();
    assert.deepEqual(await barriers(page), []);
    await page.getByRole('button', { name: 'New project…' }).first().click();
    await page.getByRole('dialog').getByRole('textbox').first().fill('later');
    await page.getByRole('dialog').getByRole('button', { name: 'Create project' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await fixture.daemon.start();
    await fixture.daemon.client.createProject({ body: { slug: 'made-meanwhile' } });
    await page.locator('[data-live=live]').waitFor({ timeout: 60_000 });
    await page.getByText('This page shows earlier data').waitFor({ state: 'detached' });
    await page.getByText('made-meanwhile').first().waitFor();
  });
});
