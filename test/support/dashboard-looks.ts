/** What every page of the dashboard keeps to, however it is looked at. */
import assert from 'node:assert/strict';
import type { Role } from '@davit/api';
import type { Locator, Page } from 'playwright-core';
import type { DashboardBrowser } from './dashboard-browser.ts';
import { barriers, finds, LOOKS, overhang, PHONE } from './pages.ts';

/** Under a dialog nothing of the page is read, so that it has no landmark and no heading then. */
const UNDER_A_DIALOG = /^(landmark-one-main|page-has-heading-one):/;

/** @throws AssertionError when something keeps people from using the page, in each of the {@link LOOKS} */
export async function looksRight(
  ground: DashboardBrowser,
  path: string,
  { ready, role }: { ready: (page: Page) => Promise<unknown>; role?: Role },
): Promise<void> {
  for (const { name, as } of LOOKS) {
    await using visited = await ground.visit(path, { ...as, ...(role && { role }) });
    const { page } = visited;
    await ready(page);
    await settled(page);
    const found = (await barriers(page)).filter((barrier) => !UNDER_A_DIALOG.test(barrier));
    assert.deepEqual(found, [], `${path}, ${name}`);
    assert.equal(await overhang(page), 0, `${path}, ${name}: pixels beside the window`);
    // Where the quick tier looks once, what is too wide for a phone shows at least.
    await page.setViewportSize(PHONE);
    assert.equal(await overhang(page), 0, `${path}, ${name}, made narrow: pixels beside the window`);
  }
}

/** Colours are read as they stay, and not on their way. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)))');
}

/** @throws AssertionError when a secret is still on the page, in its address, or in what the browser keeps of it */
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
