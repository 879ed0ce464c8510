/** What every test of pages in a browser needs: sizes, a browser, and what keeps people from using a page. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { someOf } from './tiers.ts';

export const WIDE = { width: 1_280, height: 900 };
/** What a slow machine may take for anything. */
const DEADLINE_MS = 60_000;
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

/** @param args what else the browser is started with */
export function launchBrowser(args: string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', ...args] });
}

export interface Noted {
  /** Errors and warnings of the console, exceptions, and what the policy of a page has stopped. */
  complaints: string[];
  /** Addresses of other hosts that were asked. None of them is reached. */
  foreign: string[];
}

/** Notes what goes wrong in the pages of a context. @param url of the one host that may be asked */
export async function watch(context: BrowserContext, url: string): Promise<Noted> {
  const noted: Noted = { complaints: [], foreign: [] };
  const { complaints, foreign } = noted;
  context.setDefaultTimeout(DEADLINE_MS);
  await context.route(
    ({ origin }) => origin !== new URL(url).origin,
    (route) => {
      foreign.push(route.request().url());
      return route.fulfill({ status: 204 });
    },
  );
  context.on('console', (message) => {
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

/** Looks until what is found is right. @throws with what was found last, a minute later */
export async function finds<T>(look: () => Promise<T>, isRight: (found: T) => boolean, wanted: unknown): Promise<void> {
  const end = performance.now() + DEADLINE_MS;
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
