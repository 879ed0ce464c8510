/** What every page of the dashboard keeps to, however it is looked at. */
import assert from 'node:assert/strict';
import type { Role } from '@davit/api';
import type { Locator, Page } from 'playwright-core';
import type { DashboardBrowser } from './dashboard-browser.ts';
import { barriers, overhang, PHONE, WIDE } from './pages.ts';

const SIZES = { wide: WIDE, phone: PHONE };
const SCHEMES = ['light', 'dark'] as const;

/** Under a dialog nothing of the page is read, so that it has no landmark and no heading then. */
const UNDER_A_DIALOG = /^(landmark-one-main|page-has-heading-one):/;

/** @throws AssertionError when something keeps people from using the page, wide or on a phone, light or dark */
export async function looksRight(
  ground: DashboardBrowser,
  path: string,
  { ready, role }: { ready: (page: Page) => Promise<unknown>; role?: Role },
): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of SCHEMES) {
      await using visited = await ground.visit(path, { viewport, colorScheme, ...(role && { role }) });
      await ready(visited.page);
      await settled(visited.page);
      const found = (await barriers(visited.page)).filter((barrier) => !UNDER_A_DIALOG.test(barrier));
      assert.deepEqual(found, [], `${path}, ${size}, ${colorScheme}`);
      const beside = await overhang(visited.page);
      assert.ok(beside <= 0, `${path}, ${size}, ${colorScheme}: ${beside} pixels beside the window`);
    }
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

const DEADLINE_MS = 60_000;

/** Waits until a field has a value. Nothing in the page can wait for it: the policy lets no text be run there. */
export async function hasValue(field: Locator, value: string | RegExp): Promise<void> {
  const end = performance.now() + DEADLINE_MS;
  for (;;) {
    const text = await field.inputValue();
    if (typeof value === 'string' ? text === value : value.test(text)) return;
    assert.ok(performance.now() < end, `«${text.slice(0, 100)}» instead of ${value}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
