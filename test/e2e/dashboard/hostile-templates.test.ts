/**
 * Hostile templates in a real browser: the dashboard shows their texts as text, without overflow and without foreign
 * requests.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { checkTemplate } from '@davit/template';
import { bootCatalog, type TestCatalog } from '@davit/testkit/catalog';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { ATTACKS } from '../../support/markup-attacks.ts';
import { overhang, PHONE } from '../../support/pages.ts';
import { inLong } from '../../support/tiers.ts';

/** Text with characters that reverse the direction of the following text. */
const TURNED = '\u202Etxet sdrawkcab\u202C \u2066\u200F\u05D0\u05D1';
const ENDLESS = 'x'.repeat(10_000);
const MARKUP = '<img src=x onerror=pwned()><svg onload=pwned()>';
const TEMPLATE = 'acme/hostile';
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="pwned()"><script>pwned()</script></svg>');

const FILE = `version: 1
name: ${JSON.stringify(`Hostile ${TURNED} ${MARKUP}`)}
project: hostile
inputs:
  - {key: one, type: text, label: ${JSON.stringify(`${MARKUP} ${ENDLESS}`)}, default: ${JSON.stringify(MARKUP)}}
  - {key: two, type: choice, label: ${JSON.stringify(TURNED)}, options: [${JSON.stringify(MARKUP)}, b], default: b}
apps:
  - {key: web, name: web, image: registry.test/acme/hostile, tag: "1", port: 8080, env: {ONE: "\${input.one}", TWO: "\${input.two}"}}
`;

let fixture: DashboardBrowser;
let catalog: TestCatalog;
before(async () => {
  [catalog, fixture] = await Promise.all([bootCatalog(), openDashboard()]);
  const { manifest, diagnostics } = checkTemplate(FILE);
  assert.ok(manifest !== null, JSON.stringify(diagnostics));
  // A README with a NUL character is refused as a whole.
  const attacks = ATTACKS.filter((attack) => !attack.includes('\0'));
  const readme = `${attacks.join('\n\n')}\n\n${ENDLESS}\n\n| ${ENDLESS} | b |\n|---|---|\n\n${TURNED}`;
  catalog.add({
    ...{ name: 'hostile', description: `${MARKUP} ${TURNED} ${ENDLESS}` },
    topics: ['davit-template', 'x'.repeat(50)],
    releases: [{ tag: 'v1.0.0', source: FILE, readme, icon: SVG, manifest }],
  });
  await fixture.daemon.client.patchSettings({ body: { catalog: { url: catalog.url } } });
});
after(async () => {
  await fixture[Symbol.asyncDispose]();
  await catalog[Symbol.asyncDispose]();
});

/** @throws AssertionError if the page contains active markup, or if an element overflows the window */
async function isText(page: Page, where: string): Promise<void> {
  assert.equal(await page.evaluate('window.isPwned ?? false'), false, where);
  const strange = await page.evaluate(`[...document.querySelectorAll('main *, [role=dialog] *')]
    .filter((one) => /^(script|iframe|object|embed|style|base|meta|form\\b.*action)$/i.test(one.localName)
      || [...one.attributes].some(({ name, value }) => /^on/i.test(name) || /^\\s*(javascript|data):/i.test(value)))
    .map((one) => one.outerHTML.slice(0, 200))`);
  assert.deepEqual(strange, [], where);
  assert.equal(await overhang(page), 0, `${where}: pixels beside the window`);
  await page.setViewportSize(PHONE);
  assert.equal(await overhang(page), 0, `${where}, on a phone: pixels beside the window`);
  await page.setViewportSize({ width: 1_280, height: 800 });
}

describe('a hostile template in the dashboard', { skip: inLong.skip }, () => {
  it('is shown as text on all pages, before and after the installation', async () => {
    await using visited = await fixture.visit('/');
    // The hostile icon is not a valid image.
    visited.expectRefusal(404, 502);
    const { page, context } = visited;
    await context.addInitScript('window.pwned = () => { window.isPwned = true; };');
    const at = async (path: string, ready: (page: Page) => Promise<unknown>) => {
      await page.goto(path);
      await ready(page);
      await isText(page, path);
    };
    await at('/templates', () => page.getByRole('article').filter({ hasText: TEMPLATE }).waitFor());
    await at(`/templates/${TEMPLATE}`, () => page.getByRole('heading', { level: 1 }).waitFor());
    await at(`/templates/${TEMPLATE}?tab=releases`, () => page.getByRole('button', { name: 'Install v1' }).waitFor());
    await at(`/templates/${TEMPLATE}?tab=install`, () =>
      page.getByRole('list', { name: 'Resources to create' }).getByText('hostile/production/web').waitFor(),
    );
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    await page.getByRole('link', { name: 'Open web' }).waitFor();
    await isText(page, 'the run');
    await at('/installs', () => page.getByRole('table').getByRole('link', { name: 'hostile/production' }).waitFor());
    await at('/installs/1?uninstall=1', () => page.getByRole('dialog').getByRole('textbox').waitFor());
    await at('/tasks', () => page.getByRole('table').getByText('installation 1').waitFor());
    await at('/projects/hostile/production/web/environment', () => page.getByText('ONE', { exact: true }).waitFor());
  });

  it('is shown as text if the template is read from a file', async () => {
    await using visited = await fixture.visit('/templates?new=file');
    visited.expectRefusal(400, 422);
    const { page, context } = visited;
    await context.addInitScript('window.pwned = () => { window.isPwned = true; };');
    await page.reload();
    await page.getByLabel('template.yaml').last().fill(`${MARKUP}: [${ENDLESS}`);
    await page.getByRole('button', { name: 'Read template' }).click();
    await page.getByRole('alert').first().waitFor();
    await isText(page, 'a refusal');
    await page.getByLabel('template.yaml').last().fill(FILE);
    await page.getByRole('button', { name: 'Read template' }).click();
    await page.getByRole('list', { name: 'Resources to create' }).waitFor();
    await isText(page, 'its form');
  });
});
