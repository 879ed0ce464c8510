/** Steps on the pages of databases, of their backups and of object stores. */
import { seedData } from '@davit/testkit';
import type { Locator, Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from './dashboard-browser.ts';
import { looksRight } from './dashboard-looks.ts';

/** An instance with databases, a backup and a store elsewhere; what is made on it is there at once. */
export async function openData(): Promise<DashboardBrowser> {
  const ground = await openDashboard({ taskLimits: { readyEveryMs: 1 } });
  await seedData(ground.daemon);
  return ground;
}

export const dialog = (page: Page) =>
  page.getByRole('dialog').filter({ has: page.getByRole('button', { name: 'Close', exact: true }) });
export const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** A page of something, with this status beside its name. */
export const shown = (page: Page, name: string, status: string) =>
  page
    .locator('header')
    .filter({ has: page.getByRole('heading', { level: 1, name, exact: true }) })
    .getByText(status, { exact: true })
    .waitFor();

/** That a page can be used by everybody, on a phone and in the dark too. */
export function looksRightAt(ground: DashboardBrowser, path: string): Promise<void> {
  const ready = async (page: Page) => {
    await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor();
    // A form asks for what it offers first.
    if (path.includes('new=')) await page.getByRole('dialog').getByRole('combobox').last().waitFor();
  };
  return looksRight(ground, path, { ready });
}
