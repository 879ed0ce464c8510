/** Rules for all pages of the dashboard, in all sizes and color schemes. */
import assert from 'node:assert/strict';
import type { Role } from '@davit/api';
import type { Locator, Page } from 'playwright-core';
import type { DashboardBrowser } from './dashboard-browser.ts';
import { barriers, finds, LOOKS, overhang, PHONE, wideElements } from './pages.ts';

/**
 * Pattern for rules that do not apply under a dialog. Assistive technology does not see the page under a dialog, so it
 * has no landmark and no heading then.
 */
const UNDER_A_DIALOG = /^(landmark-one-main|page-has-heading-one):/;

/**
 * Checks a page in each of the {@link LOOKS}.
 * @throws AssertionError if an accessibility problem is found
 */
export async function looksRight(
  fixture: DashboardBrowser,
  path: string,
  { ready, role }: { ready: (page: Page) => Promise<unknown>; role?: Role },
): Promise<void> {
  for (const { name, as } of LOOKS) {
    await using visited = await fixture.visit(path, { ...as, ...(role && { role }) });
    const { page } = visited;
    await ready(page);
    await settled(page);
    const found = (await barriers(page)).filter((barrier) => !UNDER_A_DIALOG.test(barrier));
    assert.deepEqual(found, [], `${path}, ${name}`);
    assert.equal(await overhang(page), 0, `${path}, ${name}: pixels beside the window`);
    // The quick tier uses only one size, so this check at least finds content that is too wide for a phone.
    await page.setViewportSize(PHONE);
    // A busy browser needs some time for the new layout.
    await finds(
      () => overhang(page),
      (pixels) => pixels === 0,
      `${path}, ${name}, made narrow: 0 pixels beside the window`,
    ).catch(async (error: unknown) => {
      throw new Error(`${(error as Error).message}\n${(await wideElements(page)).join('\n')}`, { cause: error });
    });
  }
}

/** Waits until animations have finished, because colors must be read in their final state. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)))');
}

/**
 * Checks that a secret is gone.
 * @throws AssertionError if a secret is still on the page, in its address, or in the storage of the browser
 */
export async function isForgotten(page: Page, secret: string): Promise<void> {
  assert.ok(!(await page.content()).includes(secret), 'on the page');
  assert.ok(!page.url().includes(secret), 'in the address');
  const kept = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, [...document.querySelectorAll("input, textarea")].map((one) => one.value)])',
  );
  assert.ok(!String(kept).includes(secret), 'in what the browser keeps');
}

/** Waits until a field has a value. */
export function hasValue(field: Locator, value: string | RegExp): Promise<void> {
  const isRight = (text: string) => (typeof value === 'string' ? text === value : value.test(text));
  return finds(() => field.inputValue(), isRight, value);
}
