/** Steps in the editor of variables. */
import { SEEDED } from '@davit/testkit';
import type { Page } from 'playwright-core';
import { WAIT } from './settings-steps.ts';

export const WEB = `/projects/${SEEDED.web}/environment`;
export const API = `/projects/${SEEDED.api}/environment`;

export const row = (page: Page, name: string) =>
  page
    .getByRole('table', { name: 'Variables' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name }) });
export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click(WAIT);

export async function addVariable(page: Page, name: string, value: string, secret = false): Promise<void> {
  const isOpen = await page.getByRole('textbox', { name: 'Name', exact: true }).isVisible();
  if (!isOpen) await press(page, 'Add variable');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'Value', exact: true }).fill(value);
  if (secret) await page.getByRole('checkbox', { name: 'Secret' }).check();
  await press(page, 'Add');
  await row(page, name).waitFor(WAIT);
}

export async function changeVariable(page: Page, name: string, value: string): Promise<void> {
  await row(page, name)
    .getByRole('button', { name: new RegExp(`^(Edit ${name}|Set ${name} here)$`) })
    .click(WAIT);
  await page.getByRole('textbox', { name: `Value of ${name}` }).fill(value);
  await press(page, 'Apply');
}
