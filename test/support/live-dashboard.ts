/** The dashboard of a real instance in a real browser. The browser accesses the apps by their host names. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { BrowserNetwork } from './browser-network.ts';
import { isRoute } from './contract-routes.ts';
import type { Instance } from './instance.ts';
import { BROWSER, launchBrowser, SHOW_VIOLATIONS, WIDE, watch } from './pages.ts';

/** Pattern for hosts of apps. These names do not exist outside this machine. */
const APPS = /^https?:\/\/[a-z0-9.-]+\.davit\.test(:\d+)?$/;

/** Folder for screenshots. Without it, the test takes none. */
const PICTURES = process.env.DAVIT_TEST_PICTURES;

/** Time limit in milliseconds for a slow machine. Some steps wait until a database is created or an app is deployed. */
const PATIENCE_MS = 120_000;

export interface LiveDashboard extends AsyncDisposable {
  page: Page;
  /** Declares a status of failed requests that the test expects. */
  expectRefusal(status: number): void;
  /** Stores a screenshot of the page for developers. */
  picture(name: string): Promise<void>;
  /**
   * Checks that the page was not reloaded since it was opened.
   * @throws AssertionError if it was
   */
  isStillTheSame(): Promise<void>;
}

/** Opens a page of the instance. Disposing it checks the console messages and the hosts of all requests. */
export async function openLiveDashboard(instance: Instance, path: string): Promise<LiveDashboard> {
  await using cleanup = new AsyncDisposableStack();
  const network = cleanup.use(
    await BrowserNetwork.create(BROWSER, [Number(new URL(instance.url).port), instance.httpPort]),
  );
  const browser = await launchBrowser(['*.davit.test'], network.enter);
  cleanup.defer(() => browser.close());
  const context = await browser.newContext({ viewport: WIDE, baseURL: instance.url });
  const own = new URL(instance.url).origin;
  const noted = watch(context, (origin) => origin === own || APPS.test(origin));
  await context.addInitScript(SHOW_VIOLATIONS);
  const requests: string[] = [];
  const refusals = new Set<number>();
  context.on('request', (request) => {
    if (request.isNavigationRequest() || !request.url().startsWith(instance.url)) return;
    requests.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  const isMeant = (text: string) =>
    [...refusals].some((status) => text.includes(`responded with a status of ${status}`));
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(path);
  await page.evaluate('window.openedOnce = true');
  let pictures = 0;
  const opened = cleanup.move();
  return {
    page,
    expectRefusal: (status) => void refusals.add(status),
    picture: async (name) => {
      if (PICTURES === undefined) return;
      pictures += 1;
      await mkdir(PICTURES, { recursive: true });
      const file = `${String(pictures).padStart(2, '0')}-${name}.png`;
      await page.screenshot({ path: join(PICTURES, file), fullPage: true });
    },
    isStillTheSame: async () =>
      assert.equal(await page.evaluate('window.openedOnce'), true, 'the page was not reloaded'),
    [Symbol.asyncDispose]: async () => {
      await opened.disposeAsync();
      const complaints = noted.complaints.filter((text) => !isMeant(text));
      assert.deepEqual(complaints, [], 'what the console shows');
      assert.deepEqual(noted.foreign, [], 'requests to other hosts');
      const strays = requests.filter((one) => !isRoute(one));
      assert.deepEqual(strays, [], 'requests that are neither in the document nor on the absent list');
    },
  };
}
