/** Steps on the pages of databases, backups and object stores. */
import { seedData } from '@davit/testkit';
import type { Locator, Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from './dashboard-browser.ts';
import { looksRight } from './dashboard-looks.ts';

/** Starts an instance with databases, a backup and a linked object store. New resources are ready at once. */
export async function openData(): Promise<DashboardBrowser> {
  const fixture = await openDashboard({ taskLimits: { readyEveryMs: 1 } });
  await seedData(fixture.daemon);
  return fixture;
}

export const dialog = (page: Page) =>
  page.getByRole('dialog').filter({ has: page.getByRole('button', { name: 'Close', exact: true }) });
export const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Returns the header of a resource's page with this status next to its name. */
export const shown = (page: Page, name: string, status: string) =>
  page
    .locator('header')
    .filter({ has: page.getByRole('heading', { level: 1, name, exact: true }) })
    .getByText(status, { exact: true })
    .waitFor();

/** Checks that a page is accessible in all sizes and color schemes. */
export function looksRightAt(fixture: DashboardBrowser, path: string): Promise<void> {
  const ready = async (page: Page) => {
    await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor();
    // A form first loads the options that it offers.
    if (path.includes('new=')) await page.getByRole('dialog').getByRole('combobox').last().waitFor();
  };
  return looksRight(fixture, path, { ready });
}
