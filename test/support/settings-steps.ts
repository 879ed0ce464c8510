/** Steps on the pages of settings. */
import type { Locator, Page, Request } from 'playwright-core';

export const WAIT = { timeout: 60_000 };

export const section = (reference: string, name: string) => `/projects/${reference}/settings?section=${name}`;
/** Returns a field by its label, which may be followed by its unit. */
export const field = (page: Page | Locator, name: string) =>
  page.getByRole('textbox', { name: new RegExp(`^${RegExp.escape(name)}( (s|ms|cores|optional))?$`) });
export const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
/** Returns the visible text, as soon as there is any. A dialog is loaded when it is first opened. */
export async function textOf(shown: Locator): Promise<string> {
  await shown.first().waitFor(WAIT);
  return (await shown.allInnerTexts()).join('\n');
}

export async function save(page: Page): Promise<void> {
  await button(page, 'Save').click(WAIT);
  await page.getByText('Saved.', { exact: true }).first().waitFor(WAIT);
}

/** Returns the next change that is sent. A dry run uses the same method but does not count. */
export function nextChange(page: Page): Promise<Request> {
  return page.waitForRequest(
    (request) => request.method() === 'PATCH' && !new URL(request.url()).searchParams.has('dry_run'),
    WAIT,
  );
}
