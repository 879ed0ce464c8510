/** Common parts of browser tests: sizes, a browser, and accessibility checks. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PATIENCE_MS } from '@davit/testkit/waiting';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { someOf } from './tiers.ts';

export const WIDE = { width: 1_280, height: 900 };
/** Size of the narrowest supported phone. */
export const PHONE = { width: 360, height: 740 };

/** Sizes and color schemes in which each page is checked. The quick tier uses only the first. */
export const LOOKS = someOf(
  Object.entries({ wide: WIDE, phone: PHONE }).flatMap(([size, viewport]) =>
    (['light', 'dark'] as const).map((colorScheme) => ({
      name: `${size} and ${colorScheme}`,
      as: { viewport, colorScheme },
    })),
  ),
);

export const BROWSER = '/usr/bin/chromium-headless-shell';

/**
 * Launches a browser that can access only this machine. Requests to other hosts fail.
 * @param names host names that resolve to this machine, with `*` for any part
 */
export function launchBrowser(names: readonly string[] = [], executablePath = BROWSER): Promise<Browser> {
  const own = names.map((name) => `MAP ${name} 127.0.0.1`);
  const rules = [...own, 'MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1', 'EXCLUDE localhost'].join(', ');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', `--host-resolver-rules=${rules}`],
  });
}

/** Time in milliseconds for which {@link useBrowser} keeps a browser without users open. */
const UNUSED_MS = 300;

/** Browser of this process, with the number of its users. */
let shared: { browser: Promise<Browser>; users: number } | null = null;

/** A browser that other test files of this process use too. Disposing the use does not close contexts. */
export interface BrowserUse extends AsyncDisposable {
  browser: Browser;
}

/**
 * Returns the browser of this process. Test files that run one after another share the browser, because its start takes
 * more processor time than most test files. The browser is closed shortly after its last use.
 */
export async function useBrowser(): Promise<BrowserUse> {
  const own = shared ?? { browser: launchBrowser(), users: 0 };
  shared = own;
  own.users += 1;
  const browser = await own.browser;
  const close = async () => {
    if (own.users > 0) return;
    if (shared === own) shared = null;
    await browser.close();
  };
  return {
    browser,
    [Symbol.asyncDispose]: async () => {
      own.users -= 1;
      if (own.users === 0) setTimeout(close, UNUSED_MS);
    },
  };
}

/** Pattern for the console message about an unknown host. */
const UNREACHED = /^Failed to load resource: net::ERR_NAME_NOT_RESOLVED$/;

export interface Noted {
  /** Errors and warnings of the console, exceptions, and requests that the content security policy blocked. */
  complaints: string[];
  /** Addresses of other hosts that were requested. All such requests fail. */
  foreign: string[];
}

/**
 * Records errors in the pages of a context. The function uses only events, because intercepting requests would disable
 * the cache of the browser.
 * @param isOwn returns whether requests to an origin are allowed
 */
export function watch(context: BrowserContext, isOwn: (origin: string) => boolean): Noted {
  const noted: Noted = { complaints: [], foreign: [] };
  const { complaints, foreign } = noted;
  const isForeign = (address: string) => /^https?:/.test(address) && !isOwn(new URL(address).origin);
  context.setDefaultTimeout(PATIENCE_MS);
  context.on('request', (request) => {
    if (isForeign(request.url())) foreign.push(request.url());
  });
  context.on('console', (message) => {
    // A request to another host is recorded above, and always fails.
    if (UNREACHED.test(message.text()) && isForeign(message.location().url)) return;
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  context.on('weberror', (error) => void complaints.push(error.error().message));
  context.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  return noted;
}

/**
 * Script as text, because it runs in the page. The script shows violations of the content security policy that the
 * console otherwise omits.
 */
export const SHOW_VIOLATIONS =
  "document.addEventListener('securitypolicyviolation', (e) => console.error(e.violatedDirective, e.blockedURI))";

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Selector for menus and tooltips. These elements are at the end of the document, but assistive technology reads them
 * together with the element that opened them.
 */
const FLOATING = '[role=menu], [role=tooltip], [data-side]';

/** Returns the accessibility problems of the page in its present state, one line each. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.filter(({ target }) => id !== 'region' || !document.querySelector(target.at(-1))?.closest('${FLOATING}'))
        .map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' ' + failureSummary)))`,
  );
  return found as string[];
}

/** Returns the width in pixels of the part of the page that extends beyond the window. */
export async function overhang(page: Page): Promise<number> {
  const { scrollWidth, clientWidth } = (await page.evaluate(
    '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
  )) as Record<'scrollWidth' | 'clientWidth', number>;
  return Math.max(scrollWidth - clientWidth, 0);
}

/** Returns the elements that extend beyond the window, such as `table 16–376`, for the message of a failed check. */
export async function wideElements(page: Page): Promise<string[]> {
  const found =
    await page.evaluate(`[...document.querySelectorAll('body *')].map((one) => [one, one.getBoundingClientRect()])
    .filter(([, { right }]) => right > document.documentElement.clientWidth + 0.5)
    .map(([{ localName, className, textContent }, { left, right }]) =>
      localName + ' ' + left + '–' + right + ' ' + String(className).slice(0, 80) + ' ' + textContent.slice(0, 40))`);
  return found as string[];
}

/**
 * Polls until the value is correct.
 * @throws an error with the last value
 */
export async function finds<T>(look: () => Promise<T>, isRight: (found: T) => boolean, wanted: unknown): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (isRight(found)) return;
    if (performance.now() > end) throw new Error(`“${String(found).slice(0, 100)}” instead of ${wanted}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Waits until an expression is true in a page. The function polls from outside, because the content security policy of
 * the page prohibits the evaluation of text.
 */
export function becomesTrue(page: Page, expression: string): Promise<void> {
  return finds(() => page.evaluate(expression), Boolean, expression);
}
