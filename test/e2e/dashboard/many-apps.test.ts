/** The overview page of an instance with 200 apps in a real browser: the list, the filter and live updates. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { TestDaemon } from '@davit/testkit';
import { openDashboard } from '../../support/dashboard-browser.ts';
import { overhang } from '../../support/pages.ts';
import { inLong } from '../../support/tiers.ts';

const PROJECTS = 10;
const APPS = 20;

async function fill({ client }: TestDaemon): Promise<void> {
  for (let p = 0; p < PROJECTS; p += 1) {
    const project = `project-${p}`;
    await client.createProject({ body: { slug: project } });
    const make = async (_: unknown, n: number) => {
      const name = `app-${n}`;
      await client.createApp({ body: { project, name, source: 'image', image: `example/${name}`, port: 8080 } });
      const params = { project, environment: 'production', app: name };
      await client.deployApp({ params, query: { wait: 'true' }, body: { tag: `v${n}` } });
    };
    await Promise.all(Array.from({ length: APPS }, make));
  }
}

it('the overview page lists 200 apps, filters by name and opens an app', inLong, async () => {
  await using fixture = await openDashboard({ seed: false });
  await fill(fixture.daemon);
  await using visited = await fixture.visit('/');
  const { page } = visited;
  const rows = page.getByRole('list', { name: 'Apps' }).getByRole('listitem');
  await rows.nth(PROJECTS * APPS - 1).waitFor({ state: 'attached' });
  assert.equal(await rows.count(), PROJECTS * APPS);
  await page.getByText(`${PROJECTS * APPS} of ${PROJECTS * APPS}`).waitFor();
  assert.ok((await overhang(page)) <= 0);
  await page.getByRole('searchbox', { name: 'Filter apps' }).fill('project-9 app-19');
  await rows.nth(1).waitFor({ state: 'detached' });
  await rows.getByRole('link', { name: 'project-9/production/app-19' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'app-19' }).waitFor();
});
