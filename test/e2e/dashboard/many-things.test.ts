/**
 * Large lists and long names in a real browser: 500 databases, 300 templates, a run of 200 steps, and names of maximum
 * length.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bootCatalog } from '@davit/testkit/catalog';
import { openDashboard } from '../../support/dashboard-browser.ts';
import { dialog } from '../../support/data-steps.ts';
import { overhang, PHONE } from '../../support/pages.ts';
import { seedTemplates } from '../../support/seed-templates.ts';
import { inLong } from '../../support/tiers.ts';

const DATABASES = 500;
const ENVIRONMENTS = 10;
const TEMPLATES = 300;
const LONGEST = 'w'.repeat(40);

describe('the dashboard with many entries', { skip: inLong.skip }, () => {
  it('shows 500 databases and names of maximum length without overflow', async () => {
    await using fixture = await openDashboard({ seed: false, taskLimits: { readyEveryMs: 1 } });
    const { client } = fixture.daemon;
    await client.createProject({ body: { slug: LONGEST } });
    await client.createEnvironment({ params: { project: LONGEST }, body: { slug: LONGEST } });
    const make = async (environment: string, name: string) => {
      const body = { project: LONGEST, environment, name, engine: 'redis' as const };
      const { status, error } = await client.createDatabase({ query: { wait: 'true' }, body });
      assert.equal(status, 'succeeded', error ?? '');
    };
    // The network of a single environment has too few addresses for all databases.
    const fill = async (_: unknown, at: number) => {
      const environment = `e-${at}`;
      await client.createEnvironment({ params: { project: LONGEST }, body: { slug: environment } });
      for (let n = 0; n < DATABASES / ENVIRONMENTS; n += 1) await make(environment, `d-${n}`);
    };
    await Promise.all(Array.from({ length: ENVIRONMENTS }, fill));
    await make(LONGEST, LONGEST);
    await using visited = await fixture.visit('/databases');
    const { page } = visited;
    const rows = page.getByRole('table', { name: 'Databases' }).getByRole('row');
    await rows.nth(DATABASES + 1).waitFor({ state: 'attached' });
    for (const path of ['/databases', '/backups', `/databases/${LONGEST}/${LONGEST}/${LONGEST}`, '/tasks', '/']) {
      const began = performance.now();
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      assert.ok(performance.now() - began < 15_000, path);
      assert.equal(await overhang(page), 0, path);
      await page.setViewportSize(PHONE);
      assert.equal(await overhang(page), 0, `${path}, on a phone`);
      await page.setViewportSize({ width: 1_280, height: 800 });
    }
    await page.goto(`/databases/${LONGEST}/${LONGEST}/${LONGEST}?tab=settings`);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await dialog(page).getByRole('textbox').fill(LONGEST);
    assert.equal(await overhang(page), 0, 'its end');
  });

  it('shows 300 templates page by page without overflow', async () => {
    await using catalog = await bootCatalog();
    await using fixture = await openDashboard();
    await seedTemplates(fixture.daemon, catalog);
    catalog.add(...Array.from({ length: TEMPLATES }, (_, at) => ({ name: `one-of-many-${at}`, description: 'Many.' })));
    await using visited = await fixture.visit('/templates?pages=10');
    const { page } = visited;
    const cards = page.getByRole('list', { name: 'Templates' }).getByRole('article');
    await cards.nth(239).waitFor({ state: 'attached' });
    assert.equal(await cards.count(), 240);
    await page.getByRole('button', { name: 'Show more' }).click();
    await cards.nth(263).waitFor({ state: 'attached' });
    assert.equal(await overhang(page), 0);
  });

  it('shows a run with 200 steps and 200 log lines without overflow', async () => {
    await using catalog = await bootCatalog();
    await using fixture = await openDashboard();
    await seedTemplates(fixture.daemon, catalog);
    const params = { owner: 'acme', name: 'small-01' };
    await fixture.daemon.client.installTemplate({ params, query: { wait: 'true' }, body: {} });
    await using visited = await fixture.visit('/');
    const { page, context } = visited;
    const at = '2030-01-01T00:00:00Z';
    await context.route('**/api/tasks/1', async (route) => {
      const answer = await route.fetch();
      const steps = Array.from({ length: 200 }, (_, number) => ({
        ...{ name: `step-${number}-${'long-'.repeat(40)}`, started_at: at, finished_at: at },
        error: number === 199 ? 'e'.repeat(5_000) : null,
      }));
      await route.fulfill({
        response: answer,
        json: { ...(await answer.json()), steps, log: steps.map((s) => s.name) },
      });
    });
    for (const path of ['/installs/1?run=1', '/tasks/1']) {
      await page.goto(path);
      await page.getByText('Step 199', { exact: false }).first().waitFor();
      assert.equal(await overhang(page), 0, path);
      await page.setViewportSize(PHONE);
      assert.equal(await overhang(page), 0, `${path}, on a phone`);
    }
  });
});
