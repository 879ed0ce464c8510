/** Steps in the log of an app. */

import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { until } from '@davit/testkit/waiting';
import type { Page } from 'playwright-core';

export const TIMEOUT = { timeout: 60_000 };

export const lines = (page: Page) => page.getByRole('log');
export const shows = (page: Page, text: string) =>
  lines(page).getByText(text, { exact: true }).first().waitFor(TIMEOUT);
export const status = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor(TIMEOUT);
/** Returns the texts of the lines that the page shows now. */
export const texts = (page: Page) =>
  page.evaluate("[...document.querySelectorAll('[data-row] > [dir=ltr]')].map((one) => one.textContent)") as Promise<
    string[]
  >;

/** Waits until the page shows only these lines. */
export async function showsOnly(page: Page, expected: readonly string[]): Promise<void> {
  await until('these lines are there', async () =>
    isDeepStrictEqual(await texts(page), expected) ? true : null,
  ).catch(async () => assert.deepEqual(await texts(page), expected));
}
