/**
 * The variable editor in a real browser: variables of app, environment and project, and the request that saves changes.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { paramsOf, SEEDED } from '@davit/testkit';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { barriers, LOOKS, overhang } from '../../support/pages.ts';
import { dialog, nextChange, textOf, WAIT } from '../../support/settings-steps.ts';
import { inLong } from '../../support/tiers.ts';
import { API, addVariable, changeVariable, press, row, WEB } from '../../support/variable-steps.ts';

const STAGED = `/projects/${SEEDED.stagedWeb}/environment`;

describe('the variables page of an app', () => {
  let fixture: DashboardBrowser;
  before(async () => {
    fixture = await openDashboard();
    const params = { project: 'shop', environment: 'production' };
    await fixture.daemon.client.setEnvironmentEnv({ params, body: { set: { LOG_LEVEL: 'warn' } } });
  });
  after(() => fixture[Symbol.asyncDispose]());
  const read = (reference: string) => fixture.daemon.client.getAppEnv({ params: paramsOf(reference) });

  it('shows the source of each variable and reveals a secret only on request', async () => {
    await using visited = await fixture.visit(WEB);
    const { page } = visited;
    const level = row(page, 'LOG_LEVEL');
    await level.waitFor(WAIT);

    assert.match(await textOf(level), /debug[\s\S]*this app[\s\S]*overrides environment, project/);
    assert.match(await textOf(row(page, 'REGION')), /eu[\s\S]*project/);
    const token = row(page, 'API_TOKEN');
    assert.doesNotMatch(await textOf(token), /s3cret/);
    await token.getByRole('button', { name: 'Reveal API_TOKEN' }).click();
    await token.getByText('s3cret').waitFor(WAIT);
    await row(page, 'REGION').getByRole('link', { name: 'project' }).click();
    await page.waitForURL('**/projects/shop/settings', WAIT);
  });

  it('filters variables by value and source, but not by secret values', inLong, async () => {
    await using visited = await fixture.visit(`${WEB}?find=eu`);
    const { page } = visited;
    await page.getByText('1 of 3').waitFor(WAIT);

    await page.getByRole('searchbox').fill('s3cret');
    await page.getByText('No matching variables').waitFor(WAIT);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('combobox', { name: 'Source' }).selectOption('app');
    await page.getByText('2 of 3').waitFor(WAIT);
    assert.match(page.url(), /origin=app/);
  });

  it('adds, changes, marks and removes variables in one reviewed request', async () => {
    await using visited = await fixture.visit(API);
    const { page } = visited;
    await fixture.daemon.client.setAppEnv({ params: paramsOf(SEEDED.api), body: { set: { OLD: '1', PLAIN: 'p' } } });
    await row(page, 'OLD').waitFor(WAIT);
    await addVariable(page, 'DATABASE_URL', 'postgres://db', true);
    await changeVariable(page, 'LOG_LEVEL', 'trace');
    await row(page, 'PLAIN').getByRole('button', { name: 'Edit PLAIN' }).click();
    await page.getByRole('table').getByRole('checkbox', { name: 'Secret' }).check();
    await press(page, 'Apply');
    await press(page, 'Remove OLD');
    await press(page, 'Review and save…');

    const review = dialog(page, 'Save these changes?');
    const changes = await textOf(review.getByRole('list', { name: 'Changes' }));
    assert.match(
      changes,
      /DATABASE_URL\s+added, a secret[\s\S]*LOG_LEVEL\s+added[\s\S]*OLD\s+removed[\s\S]*PLAIN\s+becomes a secret/,
    );
    assert.doesNotMatch(changes, /postgres/);
    await review.getByText('Changes take effect with the next deployment of the app.').waitFor(WAIT);
    const sent = nextChange(page);
    await review.getByRole('button', { name: 'Save', exact: true }).click();
    const request = await sent;
    await review.waitFor({ ...WAIT, state: 'hidden' });

    assert.match((await request.headerValue('if-match')) ?? '', /^W\/"/);
    assert.deepEqual(request.postDataJSON(), {
      set: { DATABASE_URL: 'postgres://db', LOG_LEVEL: 'trace' },
      unset: ['OLD'],
      secret: ['DATABASE_URL', 'PLAIN'],
    });
    assert.deepEqual((await read(SEEDED.api)).vars, { DATABASE_URL: 'postgres://db', LOG_LEVEL: 'trace', PLAIN: 'p' });
    assert.equal(await page.getByText('unsaved').count(), 0);
  });

  it('refuses an invalid name in the field and shows the whole placeholder', async () => {
    await using visited = await fixture.visit(API);
    const { page } = visited;
    await press(page, 'Add variable');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    const pictures = [];
    for (const text of ['A B', 'A_B']) {
      await name.evaluate((field, placeholder) => field.setAttribute('placeholder', placeholder), text);
      pictures.push((await name.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64'));
    }
    assert.notEqual(pictures[0], pictures[1], 'the underscore is visible');

    await name.fill('1BAD');
    await press(page, 'Add');
    await page.getByRole('alert').getByText('1BAD').waitFor(WAIT);
    assert.equal(await row(page, '1BAD').count(), 0);
  });

  it('removes the secret mark of a variable and keeps all values', inLong, async () => {
    const params = paramsOf(SEEDED.worker);
    await fixture.daemon.client.setAppEnv({ params, body: { set: { A: '1', B: '2' }, secret: ['A', 'B'] } });
    await using visited = await fixture.visit(`/projects/${SEEDED.worker}/environment`);
    const { page } = visited;
    await press(page, 'Edit A');
    await page.getByRole('table').getByRole('checkbox', { name: 'Secret' }).uncheck();
    await press(page, 'Apply');
    await press(page, 'Review and save…');
    await page.getByText('is no longer a secret').waitFor(WAIT);
    await press(page, 'Save');
    await dialog(page, 'Save these changes?').waitFor({ ...WAIT, state: 'hidden' });

    const { vars, secret } = await read(SEEDED.worker);
    assert.deepEqual([vars, secret], [{ A: '1', B: '2' }, ['B']]);
  });

  it('saves a variable, deploys the app and shows the deployment', inLong, async () => {
    await using visited = await fixture.visit(STAGED);
    const { page } = visited;
    await addVariable(page, 'FLAG', 'on');
    await press(page, 'Review and save…');
    await press(page, 'Save and deploy');
    await page.waitForURL(/\/deployments\/\d+$/, WAIT);

    const id = page.url().split('/').at(-1) ?? '';
    const deployment = await fixture.daemon.client.getDeployment({
      params: { ...paramsOf(SEEDED.stagedWeb), deployment: id },
    });
    assert.equal(deployment.trigger.via, 'dashboard');
    assert.equal((await read(SEEDED.stagedWeb)).vars.FLAG, 'on');
  });

  it('imports a pasted file with a report for each line', inLong, async () => {
    await using visited = await fixture.visit(`${WEB}?paste=1`);
    const { page } = visited;
    const paste = dialog(page, 'Import a .env file');
    await paste
      .getByRole('textbox', { name: 'File contents' })
      .fill('# shop\nexport NEW_KEY="a b"\nLOG_LEVEL=info\nnonsense\nNEW_KEY=last\nCERT="one\ntwo"\n');
    const lines = await textOf(paste.getByRole('list', { name: 'Variables to import' }));

    assert.match(lines, /2\s+NEW_KEY[\s\S]*skipped: line 5 sets the same variable/);
    assert.match(lines, /3\s+LOG_LEVEL[\s\S]*changes the value/);
    assert.match(lines, /4\s+nonsense: The line does not have the form NAME=value/);
    assert.match(lines, /6\s+CERT[\s\S]*2 lines, new/);
    await paste.getByText('1 line is not valid and will be skipped').waitFor(WAIT);
    assert.equal(await paste.getByRole('checkbox', { name: /Secret.*NEW_KEY/ }).isChecked(), true);
    await paste.getByRole('button', { name: 'Import 3 variables' }).click();
    await page.getByText('3 unsaved changes').waitFor(WAIT);
    await row(page, 'CERT').waitFor(WAIT);
    await press(page, 'Discard');
    await page.getByText('3 unsaved changes').waitFor({ ...WAIT, state: 'hidden' });
  });

  for (const { name, as } of LOOKS)
    it(`has no accessibility problems or overflow: ${name}`, async () => {
      await using visited = await fixture.visit(WEB, as);
      const { page } = visited;
      const clean = async (what: string) => {
        assert.deepEqual(await barriers(page), [], what);
        assert.equal(await overhang(page), 0, what);
      };
      await addVariable(page, 'SOMETHING_WITH_A_RATHER_LONG_NAME_THAT_GOES_ON', 'x'.repeat(300));
      await press(page, 'Edit LOG_LEVEL');
      await clean('editing');
      await press(page, 'Cancel');
      await press(page, 'Remove API_TOKEN');
      await press(page, 'Review and save…');
      await dialog(page, 'Save these changes?').waitFor(WAIT);
      await clean('review');
      await press(page, 'Back');
      await press(page, 'Import .env');
      await page.getByRole('textbox', { name: 'File contents' }).fill('A=1\nno');
      await clean('paste');
    });
});
