/** Browser tests of the catalog's pages: a catalog with the examples, and visits that record errors. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootCatalog, type TestCatalog } from '@davit/testkit/catalog';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { makeExampleRepositories } from '../../scripts/example-catalog.ts';
import { type Noted, SHOW_VIOLATIONS, useBrowser, WIDE, watch } from './pages.ts';

export interface CatalogBrowser extends AsyncDisposable {
  catalog: TestCatalog;
  browser: Browser;
}

/** Opens a catalog that lists the examples, and a browser. */
export async function openCatalogBrowser(): Promise<CatalogBrowser> {
  await using cleanup = new AsyncDisposableStack();
  const source = await mkdtemp(join(tmpdir(), 'davit-examples-'));
  cleanup.defer(() => rm(source, { recursive: true, force: true }));
  await makeExampleRepositories(source);
  const catalog = cleanup.use(await bootCatalog({ source, settings: { verifiedOwners: 'davit-examples' } }));
  const { error } = (await catalog.passOnce()).report;
  assert.equal(error, null);
  const { browser } = cleanup.use(await useBrowser());
  const opened = cleanup.move();
  return { catalog, browser, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

export interface Visit extends Noted, AsyncDisposable {
  page: Page;
}

/** Opens a page in a separate browser context. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: WIDE, ...options });
  const noted = watch(context, (origin) => origin === new URL(url).origin);
  const page = await context.newPage();
  if (options.javaScriptEnabled !== false) await page.addInitScript(SHOW_VIOLATIONS);
  await page.goto(url);
  return { page, ...noted, [Symbol.asyncDispose]: () => context.close() };
}
