/** The rendered API reference in a real browser: all operations are shown, and only this instance receives requests. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { allOperations } from '@davit/api';
import { allCatalogOperations } from '@davit/api/catalog.ts';
import { bootDaemon } from '@davit/testkit';
import { bootCatalog, type TestCatalog } from '@davit/testkit/catalog';
import type { Browser, Page, Request } from 'playwright-core';
import { launchBrowser } from '../support/pages.ts';
import { inLong } from '../support/tiers.ts';

interface Visit {
  page: Page;
  /** All requests of the page. */
  asked: Request[];
  /** Console errors and warnings, uncaught errors, and violations of the content security policy. */
  complaints: string[];
}

/** Opens the API reference in a browser with a session cookie for this host. */
async function visit(browser: Browser, url: string, { path = '/docs', title = 'Davit' } = {}): Promise<Visit> {
  const page = await browser.newPage({ viewport: { width: 1_300, height: 1_000 } });
  const [requests, complaints]: [Request[], string[]] = [[], []];
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) requests.push(request);
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => void complaints.push(error.message));
  await page.context().addCookies([{ name: 'davit_session', value: 'a'.repeat(64), url }]);
  // A string, because the script runs in the page. The script logs policy violations that the console would not show.
  await page.addInitScript(
    "document.addEventListener('securitypolicyviolation', (e) => console.error(e.violatedDirective, e.blockedURI))",
  );
  await page.goto(`${url}${path}`);
  await page.getByRole('heading', { name: title, exact: true }).waitFor();
  return { page, asked: requests, complaints };
}

/**
 * The `before` hook opens the browser. If no test of the file runs, no hook would close a browser that was opened on
 * import.
 */
let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser.close());

// The browser needs seconds to render the document, so the tests of a suite share one page.
describe('the API reference page', () => {
  let daemon: Awaited<ReturnType<typeof bootDaemon>>;
  let here: Visit;
  before(async () => {
    daemon = await bootDaemon();
    here = await visit(browser, daemon.url);
  });
  after(async () => {
    await here?.page.close();
    await daemon?.[Symbol.asyncDispose]();
  });

  it('contacts no other host and loads the API document without credentials', async () => {
    const { page, asked: requests } = here;
    await page.waitForLoadState('networkidle');

    assert.deepEqual(new Set(requests.map((request) => new URL(request.url()).origin)), new Set([daemon.url]));
    const document = requests.find((request) => request.url() === `${daemon.url}/openapi.json`);
    const { cookie, authorization } = (await document?.allHeaders()) ?? {};
    assert.deepEqual([cookie, authorization], [undefined, undefined]);
  });

  it('shows every operation and the description of the selected operation', inLong, async () => {
    const { page, complaints } = here;

    const sidebar = page.getByRole('complementary', { name: 'Sidebar for Davit' });
    for (const { summary } of allOperations) await sidebar.getByText(summary).first().waitFor();
    await sidebar.getByText('Deploy a release').click();
    await page.getByText('moves the traffic without losing a request').first().waitFor();

    assert.deepEqual(complaints, []);
  });

  it('sends a request with the typed key to the instance', async () => {
    const { page, asked: requests, complaints } = here;

    await page.getByPlaceholder('Token').first().fill(daemon.key);
    await page
      .getByRole('complementary', { name: 'Sidebar for Davit' })
      .getByText('Get the state of the instance')
      .click();
    await page.getByRole('button', { name: /Test Request.*get \/instance\)/ }).click();
    await page.getByRole('button', { name: /Send get request to/ }).click();
    await page.getByText('200 OK').first().waitFor();

    const sent = requests.find((request) => request.url() === `${daemon.url}/api/instance`);
    assert.equal(sent?.headers().authorization, `Bearer ${daemon.key}`);
    assert.deepEqual(complaints, []);
    assert.deepEqual(new Set(requests.map((request) => new URL(request.url()).origin)), new Set([daemon.url]));
  });
});

describe('the API reference page of the catalog', () => {
  let catalog: TestCatalog;
  before(async () => {
    catalog = await bootCatalog();
  });
  after(() => catalog[Symbol.asyncDispose]());

  it('shows every operation and sends requests only to the catalog', async () => {
    const title = 'Davit catalog';
    const { page, asked: requests, complaints } = await visit(browser, catalog.url, { path: '/api/v1/docs', title });

    const sidebar = page.getByRole('complementary', { name: `Sidebar for ${title}` });
    for (const { summary } of allCatalogOperations) await sidebar.getByText(summary).first().waitFor();
    await sidebar.getByText('List the topics of all templates in the catalog').first().click();
    await page.getByRole('button', { name: /Test Request.*\/tags/ }).click();
    await page.getByRole('button', { name: /Send get request to/ }).click();
    await page.getByText('200 OK').first().waitFor();

    assert.ok(requests.some((request) => request.url() === `${catalog.url}/api/v1/tags`));
    assert.deepEqual(new Set(requests.map((request) => new URL(request.url()).origin)), new Set([catalog.url]));
    assert.deepEqual(complaints, []);
    await page.close();
  });
});
