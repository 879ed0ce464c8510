/** Browser tests of the catalog's pages: a catalog of the examples, and visits that note whatever goes wrong in them. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootCatalog, type TestCatalog } from '@davit/testkit/catalog';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { makeExampleRepositories } from '../../scripts/example-catalog.ts';

export const WIDE = { width: 1_280, height: 900 };
/** The narrowest phone that pages are made for. */
export const PHONE = { width: 360, height: 740 };

export interface CatalogBrowser extends AsyncDisposable {
  catalog: TestCatalog;
  browser: Browser;
}

/** A catalog in which the examples are listed, and a browser. */
export async function openCatalogBrowser(): Promise<CatalogBrowser> {
  await using cleanup = new AsyncDisposableStack();
  const source = await mkdtemp(join(tmpdir(), 'davit-examples-'));
  cleanup.defer(() => rm(source, { recursive: true, force: true }));
  await makeExampleRepositories(source);
  const catalog = cleanup.use(await bootCatalog({ source, settings: { verifiedOwners: 'davit-examples' } }));
  const { error } = (await catalog.passOnce()).report;
  assert.equal(error, null);
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  cleanup.defer(() => browser.close());
  const opened = cleanup.move();
  return { catalog, browser, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

export interface Visit extends AsyncDisposable {
  page: Page;
  /** Errors and warnings of the console, exceptions, and what the policy of a page has stopped. */
  complaints: string[];
  /** Addresses of other hosts that were asked. None of them is reached. */
  foreign: string[];
}

/** Opens a page in a context of its own. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: WIDE, ...options });
  const [complaints, foreign]: [string[], string[]] = [[], []];
  const page = await context.newPage();
  await page.route(
    ({ origin }) => origin !== new URL(url).origin,
    (route) => {
      foreign.push(route.request().url());
      return route.fulfill({ status: 204 });
    },
  );
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  // As text, since it runs in the page; a violation that the console does not show is shown there by this.
  if (options.javaScriptEnabled !== false)
    await page.addInitScript(
      "document.addEventListener('securitypolicyviolation', (e) => console.error(e.violatedDirective, e.blockedURI))",
    );
  await page.goto(url);
  return { page, complaints, foreign, [Symbol.asyncDispose]: () => context.close() };
}

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What keeps people from using the page as it stands now, each as one line. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' ' + failureSummary)))`,
  );
  return found as string[];
}

/** How many pixels of the page lie to the right of the window. */
export async function overhang(page: Page): Promise<number> {
  const { scrollWidth, clientWidth } = (await page.evaluate(
    '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
  )) as Record<'scrollWidth' | 'clientWidth', number>;
  return scrollWidth - clientWidth;
}
