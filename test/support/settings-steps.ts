/** Steps on the pages of settings. */
import type { Locator, Page, Request } from 'playwright-core';

export const WAIT = { timeout: 60_000 };

export const section = (reference: string, name: string) => `/projects/${reference}/settings?section=${name}`;
/** A field by its label, which may have its unit behind it. */
export const field = (page: Page | Locator, name: string) =>
  page.getByRole('textbox', { name: new RegExp(`^${RegExp.escape(name)}( (s|ms|cores|optional))?$`) });
export const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
/** Once any of it is there: a dialog is loaded when it is opened first. */
export async function textOf(shown: Locator): Promise<string> {
  await shown.first().waitFor(WAIT);
  return (await shown.allInnerTexts()).join('\n');
}

export async function save(page: Page): Promise<void> {
  await button(page, 'Save').click(WAIT);
  await page.getByText('Saved.', { exact: true }).first().waitFor(WAIT);
}

/** The next change that is sent: not a question about what it would do, which goes the same way. */
export function nextChange(page: Page): Promise<Request> {
  return page.waitForRequest(
    (request) => request.method() === 'PATCH' && !new URL(request.url()).searchParams.has('dry_run'),
    WAIT,
  );
}
