/** An app's log in a real browser: followed, searched, filtered, hostile, and over an absence of the instance. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { app as newApp } from '@davit/testkit';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../support/dashboard-browser.ts';
import { SameAddress } from '../support/dashboard-restart.ts';
import { until } from '../support/instance.ts';
import { numbered, writingApp } from '../support/log-writer.ts';
import { barriers, overhang, PHONE, WIDE } from '../support/pages.ts';

const TIMEOUT = { timeout: 60_000 };

const address = new SameAddress();
let ground: DashboardBrowser;
before(async () => {
  ground = await openDashboard({ seed: false, settings: address.settings });
});
after(() => ground[Symbol.asyncDispose]());

const lines = (page: Page) => page.getByRole('log');
const shows = (page: Page, text: string) => lines(page).getByText(text, { exact: true }).first().waitFor(TIMEOUT);
const status = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor(TIMEOUT);
/** The texts of the lines that are on the page now. */
const texts = (page: Page) =>
  page.evaluate("[...document.querySelectorAll('[data-row] > [dir=ltr]')].map((one) => one.textContent)") as Promise<
    string[]
  >;

/** Waits until these lines are all that is on the page. */
async function showsOnly(page: Page, expected: readonly string[]): Promise<void> {
  await until('these lines are there', 60_000, async () =>
    isDeepStrictEqual(await texts(page), expected) ? true : null,
  ).catch(async () => assert.deepEqual(await texts(page), expected));
}

describe('an app’s log', () => {
  it('follows what is written, stays where one reads, and goes back to the newest', async () => {
    const app = await writingApp(ground.daemon);
    app.write(numbered(1, 200));
    await using visited = await ground.visit(app.page('logs'));
    const { page } = visited;
    await shows(page, 'line 200.');
    await status(page, 'Following');
    app.write(numbered(201, 205));
    await shows(page, 'line 205.');

    await lines(page).focus();
    await page.keyboard.press('Home');
    await shows(page, 'line 1.');
    await status(page, 'Paused');
    app.write(numbered(206, 208));
    await page.getByRole('button', { name: /Follow · 3 new/ }).click(TIMEOUT);
    await shows(page, 'line 208.');
    await status(page, 'Following');
  });

  it('loads older lines at the top, each once, and says where the log begins', async () => {
    const app = await writingApp(ground.daemon);
    app.write(numbered(1, 1_700));
    await using visited = await ground.visit(app.page('logs'));
    const { page } = visited;
    await shows(page, 'line 1700.');
    await lines(page).focus();
    for (let times = 0; times < 20 && (await page.getByText('This is the first line').count()) === 0; times += 1) {
      await page.keyboard.press('Home');
      await page.getByText('Older lines are on their way').waitFor({ ...TIMEOUT, state: 'detached' });
    }
    await page.keyboard.press('Home');
    await shows(page, 'line 1.');
    await status(page, /^1,701 lines$/);
    await until('the first lines are there', 60_000, async () =>
      isDeepStrictEqual((await texts(page)).slice(0, 3), ['listening', 'line 1.', 'line 2.']) ? true : null,
    );
  });

  it('searches as one types, steps through what it found, and asks the instance for the rest', async () => {
    const app = await writingApp(ground.daemon);
    app.write(numbered(1, 3_000));
    await using visited = await ground.visit(app.page('logs'));
    const { page } = visited;
    await shows(page, 'line 3000.');
    await page.keyboard.press('/');
    await page.keyboard.type('LINE 29');
    await status(page, /^\d+$/);
    await page.keyboard.press('Enter');
    const place = async () =>
      Number(/^(\d+) of/.exec((await page.getByText(/^\d+ of \d+$/).textContent(TIMEOUT)) ?? '')?.[1]);
    const first = await place();
    await lines(page).focus();
    await page.keyboard.press('N');
    await status(page, new RegExp(`^${first - 1} of`));
    await page.keyboard.press('n');
    await status(page, new RegExp(`^${first} of`));
    assert.ok((await page.locator('[data-current] mark').count()) > 0);
    await page.waitForURL(/find=LINE/);

    await page.getByRole('searchbox').or(page.getByLabel('Search in the lines')).fill('line 7.');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/[?&]q=line/);
    await showsOnly(page, ['line 7.']);
    app.write(['another', 'once more line 7.']);
    await showsOnly(page, ['line 7.', 'once more line 7.']);
  });

  it('shows only the levels, streams and instances asked for, in the address', async () => {
    const app = await writingApp(ground.daemon);
    app.write(['INFO one', '{"level":"error","msg":"two"}', 'level=warn msg=three']);
    app.write(['four'], 'stderr');
    await using visited = await ground.visit(app.page('logs'));
    const { page } = visited;
    await shows(page, 'INFO one');
    await page.getByRole('button', { name: 'Error', exact: true }).click();
    await page.waitForURL(/level=error/);
    await showsOnly(page, ['two', 'four']);
    await page.getByRole('button', { name: 'Error', exact: true }).click();
    await page.getByLabel('Stream').selectOption('stderr');
    await page.waitForURL(/stream=stderr/);
    await showsOnly(page, ['four']);
  });

  it('reads a time that has been, and says that it is not followed', async () => {
    const app = await writingApp(ground.daemon);
    app.write(numbered(1, 3));
    await using visited = await ground.visit(app.page('logs', '?since=15m'));
    const { page } = visited;
    await shows(page, 'line 3.');
    await status(page, /not\s+followed/);
    await page.getByRole('button', { name: 'Follow from now' }).click();
    await status(page, 'Following');
    await page.goto(app.page('logs', '?since=2020-01-01T00:00:00Z&until=2020-01-02T00:00:00Z'));
    await page.getByText('No line matches').waitFor(TIMEOUT);
    await page.getByText(`davit logs ${app.reference} --since 2020`).waitFor();
  });

  it('has a link for a line, which shows it again', async () => {
    const app = await writingApp(ground.daemon);
    app.write(numbered(1, 400));
    await using visited = await ground.visit(app.page('logs'), { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = visited;
    await shows(page, 'line 400.');
    await lines(page).focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('l');
    await page.getByText('The link to the line is copied.').waitFor(TIMEOUT);
    const link = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.match(link, /line=2/);
    await page.goto(link);
    await page.locator('[data-current]').waitFor(TIMEOUT);
  });

  it('downloads what matches', async () => {
    const app = await writingApp(ground.daemon);
    app.write(numbered(1, 20));
    await using visited = await ground.visit(app.page('logs', '?q=line+1'));
    await shows(visited.page, 'line 19.');
    const [download] = await Promise.all([
      visited.page.waitForEvent('download', TIMEOUT),
      visited.page.getByRole('button', { name: 'Download what matches' }).click(),
    ]);
    let text = '';
    for await (const piece of await download.createReadStream()) text += piece;
    assert.equal(text.trim().split('\n').length, 11);
  });
});

describe('hostile lines', () => {
  it('are text: no markup, no sequence, no turned direction, and no length does anything', async () => {
    const app = await writingApp(ground.daemon);
    app.write([
      '<img src=x onerror=alert(1)><script>alert(2)</script>',
      '\u001b]0;title\u0007\u001b[2J\u001b[31mred\u001b[0m \u001b[38;2;1;2;3mdark\u001b[0m',
      'user\u202egnp.exe',
      `long ${'x'.repeat(1024 * 1024)}`,
      'bell\u0007 nul\u0000',
      'the end',
    ]);
    await using visited = await ground.visit(app.page('logs'));
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
    await page.getByRole('button', { name: 'Show all (1.0 MiB)' }).click();
    await page.getByRole('group', { name: 'The whole line' }).waitFor(TIMEOUT);
  });
});

describe('what goes wrong', () => {
  it('says that the instance is away, and goes on without doubles and gaps', async () => {
    const app = await writingApp(ground.daemon);
    app.write(numbered(1, 20));
    await using visited = await ground.visit(app.page('logs'));
    const { page } = visited;
    visited.expectRefusal(0, 500, 502, 503);
    await shows(page, 'line 20.');
    const back = await address.away(ground.daemon);
    await status(page, 'Not live');
    await back();
    app.write(numbered(21, 30));
    await shows(page, 'line 30.');
    await lines(page).focus();
    await page.keyboard.press('Home');
    await showsOnly(page, ['listening', ...numbered(1, 30)]);
  });

  it('says that an app is gone', async () => {
    const app = await writingApp(ground.daemon);
    app.write(['here']);
    await using visited = await ground.visit(app.page('logs'));
    visited.expectRefusal(404);
    await shows(visited.page, 'here');
    await ground.daemon.client.deleteApp({ params: app.params });
    await visited.page
      .getByText(/There is no such app|was deleted|not there/)
      .first()
      .waitFor(TIMEOUT);
  });

  it('teaches what to do where nothing matches, or nothing was deployed', async () => {
    const app = await writingApp(ground.daemon);
    await using visited = await ground.visit(app.page('logs', '?q=never+written'));
    const { page } = visited;
    await page.getByText('No line matches').waitFor(TIMEOUT);
    await page.getByRole('button', { name: 'Show all lines', exact: true }).click();
    await shows(page, 'listening');
    const fresh = await newApp(ground.daemon);
    await page.goto(`/projects/${fresh.reference}/logs`);
    await page.getByText('Nothing is deployed yet').waitFor(TIMEOUT);
  });
});

describe('for everybody', () => {
  it('each role reads it', async () => {
    const app = await writingApp(ground.daemon);
    app.write(['to be read']);
    for (const role of ['viewer', 'member'] as const) {
      await using visited = await ground.visit(app.page('logs'), { role });
      await shows(visited.page, 'to be read');
    }
  });

  it('has no barriers, and no page that is wider than its window', async () => {
    const app = await writingApp(ground.daemon);
    app.write(['x'.repeat(3_000)]);
    app.write(['\u001b[33mcolour\u001b[0m \u001b[48;5;196mground\u001b[0m', 'WARN y', 'DEBUG z', 'ERROR x']);
    for (const viewport of [WIDE, PHONE]) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await using visited = await ground.visit(app.page('logs', '?find=o&wrap=1'), { viewport, colorScheme });
        await lines(visited.page)
          .getByText('ERR')
          .first()
          .waitFor({ ...TIMEOUT, state: 'attached' });
        assert.deepEqual(await barriers(visited.page), [], `${viewport.width} ${colorScheme}`);
        assert.ok((await overhang(visited.page)) <= 0, `${viewport.width}`);
      }
    }
  });
});
