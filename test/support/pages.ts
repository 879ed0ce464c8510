/** What every test of pages in a browser needs: sizes, a browser, and what keeps people from using a page. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PATIENCE_MS } from '@davit/testkit/waiting';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { someOf } from './tiers.ts';

export const WIDE = { width: 1_280, height: 900 };
/** What a slow machine may take for anything. */
/** The narrowest phone that pages are made for. */
export const PHONE = { width: 360, height: 740 };

/** The ways in which a page is looked at; in the quick tier the first of them. */
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
 * A browser to which this machine is all there is: no page of it reaches another host, whatever it asks for.
 * @param names of hosts that are this machine to it, with `*` for any part
 */
export function launchBrowser(names: readonly string[] = [], executablePath = BROWSER): Promise<Browser> {
  const own = names.map((name) => `MAP ${name} 127.0.0.1`);
  const rules = [...own, 'MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1', 'EXCLUDE localhost'].join(', ');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', `--host-resolver-rules=${rules}`],
  });
}

/** How the console says that there is no such host. */
const UNREACHED = /^Failed to load resource: net::ERR_NAME_NOT_RESOLVED$/;

export interface Noted {
  /** Errors and warnings of the console, exceptions, and what the policy of a page has stopped. */
  complaints: string[];
  /** Addresses of other hosts that were asked. The browser reaches none of them. */
  foreign: string[];
}

/**
 * Notes what goes wrong in the pages of a context. It only listens: what asks for each request keeps a browser from its cache.
 * @param isOwn whether an origin is one that may be asked
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
    // What was asked elsewhere is noted above, and fails because nothing is there.
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

/** As text, since it runs in the page; a violation of the policy that the console does not show is shown there by this. */
export const SHOW_VIOLATIONS =
  "document.addEventListener('securitypolicyviolation', (e) => console.error(e.violatedDirective, e.blockedURI))";

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Menus and tooltips stand at the end of the document and are read with what they were opened from. */
const FLOATING = '[role=menu], [role=tooltip], [data-side]';

/** What keeps people from using the page as it stands now, each as one line. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.filter(({ target }) => id !== 'region' || !document.querySelector(target.at(-1))?.closest('${FLOATING}'))
        .map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' ' + failureSummary)))`,
  );
  return found as string[];
}

/** How many pixels of the page lie to the right of the window. */
export async function overhang(page: Page): Promise<number> {
  const { scrollWidth, clientWidth } = (await page.evaluate(
    '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
  )) as Record<'scrollWidth' | 'clientWidth', number>;
  return Math.max(scrollWidth - clientWidth, 0);
}

/** Looks until what is found is right. @throws with what was found last */
export async function finds<T>(look: () => Promise<T>, isRight: (found: T) => boolean, wanted: unknown): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (isRight(found)) return;
    if (performance.now() > end) throw new Error(`«${String(found).slice(0, 100)}» instead of ${wanted}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until an expression is true in a page. Nothing in the page can wait for it: its policy lets no text be run there. */
export function becomesTrue(page: Page, expression: string): Promise<void> {
  return finds(() => page.evaluate(expression), Boolean, expression);
}
