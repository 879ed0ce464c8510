/**
 * The layout of the built dashboard in a real browser: navigation, breadcrumbs, the command palette and the phone menu.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { barriers, becomesTrue, LOOKS, overhang, PHONE } from '../../support/pages.ts';
import { inLong } from '../../support/tiers.ts';

const LOGS = '/projects/shop/production/web/logs';

let fixture: DashboardBrowser;
before(async () => {
  fixture = await openDashboard();
});
after(() => fixture[Symbol.asyncDispose]());

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const focused = (page: Page) => page.evaluate('document.activeElement?.tagName ?? ""') as Promise<string>;

describe('the dashboard layout', () => {
  it('links to every section, marks the current section and sets the title of the page', async () => {
    await using visited = await fixture.visit('/');
    const { page } = visited;
    const main = page.getByRole('navigation', { name: 'Main' });
    for (const name of ['Projects', 'Registry', 'Certificates', 'Users', 'Audit', 'Settings', 'Overview']) {
      await main.getByRole('link', { name, exact: true }).click();
      await heading(page, name).waitFor();
      assert.equal(await main.locator('[aria-current=page]').textContent(), name);
      await becomesTrue(page, `document.title.startsWith('${name} · ') && document.title.endsWith(' · Davit')`);
    }
    const description = await page.locator('meta[name=description]').getAttribute('content');
    assert.match(description ?? '', /this Davit instance\.$/);
    assert.ok(visited.asked.includes('GET /api/users/me'));
  });

  it('moves the focus to the page’s heading and announces the title', inLong, async () => {
    await using visited = await fixture.visit('/');
    const { page } = visited;
    await heading(page, 'Overview').waitFor();
    await page.getByRole('link', { name: 'Projects', exact: true }).first().click();
    await heading(page, 'Projects').waitFor();
    await becomesTrue(page, "document.activeElement?.tagName === 'H1'");
    assert.equal(await page.title(), 'Projects · Davit');
    await page.locator('[aria-live=polite]', { hasText: 'Projects · Davit' }).waitFor({ state: 'attached' });
  });

  it('returns the focus to the button that opened a form', inLong, async () => {
    await using visited = await fixture.visit('/');
    const { page } = visited;
    const opener = page.getByRole('button', { name: 'New project…' });
    const ways = [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('button', { name: 'Cancel' }).press('Enter'),
    ];
    for (const leave of ways) {
      await opener.press('Enter');
      await becomesTrue(page, "document.activeElement?.tagName === 'INPUT'");
      await leave();
      await becomesTrue(page, "document.activeElement?.textContent === 'New project…'");
    }
  });

  it('has a skip link to the content of the page', inLong, async () => {
    await using visited = await fixture.visit('/');
    const { page } = visited;
    await heading(page, 'Overview').waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement?.textContent'), 'Skip to content');
    await page.keyboard.press('Enter');
    await becomesTrue(page, "document.activeElement?.id === 'main'");
  });

  it('keeps the query of a URL and shows the same page', inLong, async () => {
    await using visited = await fixture.visit(`${LOGS}?q=listening`);
    await heading(visited.page, 'web').waitFor();
    assert.match(visited.page.url(), /\?q=listening$/);
    assert.equal(await visited.page.title(), 'Logs · web · Davit');
  });

  it('shows Page not found for an unknown URL, with a link back', inLong, async () => {
    await using visited = await fixture.visit('/no/such/page');
    visited.expectRefusal(404);
    await heading(visited.page, 'Page not found').waitFor();
    await visited.page.getByRole('link', { name: 'Back to overview' }).click();
    await heading(visited.page, 'Overview').waitFor();
  });

  it('shows the server’s message for a project that does not exist', inLong, async () => {
    await using visited = await fixture.visit('/projects/none');
    visited.expectRefusal(404);
    await heading(visited.page, 'Not found').waitFor();
    await visited.page.getByText('This project does not exist, or you cannot access it').waitFor();
  });

  it('keeps the selected theme in every tab', inLong, async () => {
    await using visited = await fixture.visit('/', { colorScheme: 'light' });
    const { page, context } = visited;
    const scheme = (of: Page) => of.evaluate('getComputedStyle(document.body).colorScheme');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Theme: dark' }).click();
    await becomesTrue(page, "document.documentElement.dataset.theme === 'dark'");
    assert.equal(await scheme(page), 'dark');
    const other = await context.newPage();
    await other.goto('/');
    assert.equal(await scheme(other), 'dark');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Theme: system' }).click();
    await becomesTrue(other, 'document.documentElement.dataset.theme === undefined');
  });
});

describe('breadcrumbs', () => {
  it('switch to another app on the same tab, and to another project', async () => {
    await using visited = await fixture.visit(LOGS);
    const { page } = visited;
    await page.getByRole('button', { name: 'Switch app, now web' }).click();
    await page.getByRole('menuitem', { name: 'api' }).click();
    await heading(page, 'api').waitFor();
    assert.match(page.url(), /\/projects\/shop\/production\/api\/logs$/);
    await page.getByRole('button', { name: 'Switch project, now shop' }).click();
    await page.getByRole('menuitem', { name: 'blog' }).click();
    await page.waitForURL('**/projects/blog/production');
  });

  it('can be used by keyboard alone', inLong, async () => {
    await using visited = await fixture.visit('/projects/shop/staging/web');
    const { page } = visited;
    const trigger = page.getByRole('button', { name: 'Switch environment, now staging' });
    await trigger.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'production' }).waitFor();
    await page.keyboard.press('Escape');
    await becomesTrue(page, "document.activeElement?.getAttribute('aria-label') === 'Switch environment, now staging'");
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'production' }).waitFor();
    await page.keyboard.type('prod');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/projects/shop/production/web');
  });
});

describe('the command palette', () => {
  it('finds a page by a few letters and moves the focus to the page', async () => {
    await using visited = await fixture.visit('/');
    const { page } = visited;
    await heading(page, 'Overview').waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search' });
    await field.fill('spw logs');
    await page.getByRole('option', { name: /^shop\/production\/web logs/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${LOGS}`);
    await field.waitFor({ state: 'detached' });
    await becomesTrue(page, "document.activeElement?.tagName === 'H1'");
  });

  it('takes the keys that are typed before it is loaded', async () => {
    await using visited = await fixture.visit('/');
    const { page, context } = visited;
    await heading(page, 'Overview').waitFor();
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await context.route('**/assets/*.js', async (route) => {
      asked.resolve();
      await held.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Audit' }).first().focus();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('audit');
    await asked.promise;
    held.resolve();
    const field = page.getByRole('combobox', { name: 'Search' });
    await becomesTrue(page, "document.activeElement?.getAttribute('role') === 'combobox'");
    await page.keyboard.type(' log');
    assert.equal(await field.inputValue(), 'audit log');
    assert.equal(new URL(page.url()).pathname, '/');
  });

  it('moves the selection with arrow keys and closes without navigation', inLong, async () => {
    await using visited = await fixture.visit('/projects');
    const { page } = visited;
    await page.getByRole('button', { name: /Search/ }).click();
    const field = page.getByRole('combobox', { name: 'Search' });
    await field.waitFor();
    const chosen = page.locator('[role=option][aria-selected=true]');
    const first = await chosen.textContent();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    assert.notEqual(await chosen.textContent(), first);
    assert.equal(await field.getAttribute('aria-activedescendant'), await chosen.getAttribute('id'));
    await field.fill('nothing at all fits this');
    await page.getByText('No results for “nothing at all fits this”.').waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    assert.match(page.url(), /\/projects$/);
  });

  it('opens a form without changing any data', inLong, async () => {
    await using visited = await fixture.visit('/');
    const { page, asked: requests } = visited;
    await heading(page, 'Overview').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('deploy shop/production/web');
    await page.getByRole('option', { name: /^Deploy shop\/production\/web…/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/projects/shop/production/web?deploy=*');
    await page.getByRole('dialog').waitFor();
    const changes = requests.filter((one) => !one.startsWith('GET ') && !one.endsWith('/deploy'));
    assert.deepEqual(changes, []);
  });

  it('disables actions that the role does not allow, with the reason', inLong, async () => {
    await using visited = await fixture.visit('/', { role: 'viewer' });
    const { page } = visited;
    await heading(page, 'Overview').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('new project');
    const option = page.getByRole('option', { name: /^New project…/ });
    await option.waitFor();
    assert.equal(await option.getAttribute('aria-disabled'), 'true');
    assert.match(
      (await option.textContent()) ?? '',
      /This operation requires the role admin, but your role is viewer\./,
    );
    await page.keyboard.press('Enter');
    assert.equal(await page.getByRole('combobox', { name: 'Search' }).count(), 1, 'it stays open');
  });
});

describe('pages that a role cannot see', () => {
  for (const [role, path] of [
    ['viewer', '/users'],
    ['member', '/audit'],
  ] as const) {
    it(`explain to a ${role} why ${path} is empty`, inLong, async () => {
      await using visited = await fixture.visit(path, { role });
      await visited.page
        .getByText(/requires the role admin, but your role is/)
        .first()
        .waitFor();
    });
  }
});

describe('the dashboard on a phone', () => {
  it('opens the menu over the page and closes the menu after a choice', async () => {
    await using visited = await fixture.visit('/', { viewport: PHONE });
    const { page } = visited;
    await heading(page, 'Overview').waitFor();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await menu.getByRole('link', { name: 'Certificates' }).click();
    await heading(page, 'Certificates').waitFor();
    await menu.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await menu.waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    assert.equal(await focused(page), 'BUTTON');
  });
});

describe('the dashboard layout for all users', () => {
  for (const { name, as } of LOOKS) {
    it(`has no accessibility problems or overflow: ${name}`, async () => {
      await using visited = await fixture.visit(LOGS, as);
      const { page } = visited;
      await heading(page, 'web').waitFor();
      assert.deepEqual(await barriers(page), []);
      assert.equal(await overhang(page), 0);
      await page.getByRole('button', { name: 'Switch app, now web' }).click();
      await page.getByRole('menuitem', { name: 'api' }).waitFor();
      assert.deepEqual(await barriers(page), []);
      await page.keyboard.press('Escape');
      await page.getByRole('menuitem', { name: 'api' }).waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await page.getByRole('option').first().waitFor();
      assert.deepEqual(await barriers(page), []);
    });
  }
});
