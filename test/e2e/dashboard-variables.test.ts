/** The editor of variables in a real browser: what is shown of three levels, what a change becomes, and what it survives. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { paramsOf, SEEDED } from '@davit/testkit';
import type { Locator, Page, Request } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../support/dashboard-browser.ts';
import { SameAddress } from '../support/dashboard-restart.ts';
import { barriers, overhang, PHONE, WIDE } from '../support/pages.ts';

const WAIT = { timeout: 60_000 };
const WEB = `/projects/${SEEDED.web}/environment`;
const API = `/projects/${SEEDED.api}/environment`;
const STAGED = `/projects/${SEEDED.stagedWeb}/environment`;

const row = (page: Page, name: string) =>
  page
    .getByRole('table', { name: 'Variables' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name }) });
const textOf = async (shown: Locator) => (await shown.allInnerTexts()).join('\n');
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click(WAIT);
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

async function addVariable(page: Page, name: string, value: string, secret = false): Promise<void> {
  const isOpen = await page.getByRole('textbox', { name: 'Name', exact: true }).isVisible();
  if (!isOpen) await press(page, 'Add variable');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'Value', exact: true }).fill(value);
  if (secret) await page.getByRole('checkbox', { name: 'Secret' }).check();
  await press(page, 'Add');
  await row(page, name).waitFor(WAIT);
}

async function changeVariable(page: Page, name: string, value: string): Promise<void> {
  await row(page, name)
    .getByRole('button', { name: new RegExp(`^(Edit ${name}|Set ${name} here)$`) })
    .click(WAIT);
  await page.getByRole('textbox', { name: `Value of ${name}` }).fill(value);
  await press(page, 'Take over');
}

describe('the variables of an app', () => {
  const address = new SameAddress();
  let ground: DashboardBrowser;
  before(async () => {
    ground = await openDashboard({ settings: address.settings });
    const params = { project: 'shop', environment: 'production' };
    await ground.daemon.client.setEnvironmentEnv({ params, body: { set: { LOG_LEVEL: 'warn' } } });
  });
  after(() => ground[Symbol.asyncDispose]());
  const read = (reference: string) => ground.daemon.client.getAppEnv({ params: paramsOf(reference) });

  it('are shown with where each is set and what it stands over, secrets masked until asked for', async () => {
    await using visited = await ground.visit(WEB);
    const { page } = visited;
    const level = row(page, 'LOG_LEVEL');
    await level.waitFor(WAIT);

    assert.match(await textOf(level), /debug[\s\S]*this app[\s\S]*over environment, project/);
    assert.match(await textOf(row(page, 'REGION')), /eu[\s\S]*project/);
    const token = row(page, 'API_TOKEN');
    assert.doesNotMatch(await textOf(token), /s3cret/);
    await token.getByRole('button', { name: 'Reveal API_TOKEN' }).click();
    await token.getByText('s3cret').waitFor(WAIT);
    await row(page, 'REGION').getByRole('link', { name: 'project' }).click();
    await page.waitForURL('**/projects/shop/settings', WAIT);
  });

  it('are found by name, by open value and by origin, under an address of its own', async () => {
    await using visited = await ground.visit(`${WEB}?find=eu`);
    const { page } = visited;
    await page.getByText('1 of 3').waitFor(WAIT);

    await page.getByRole('searchbox').fill('s3cret');
    await page.getByText('No variable is like that').waitFor(WAIT);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('combobox', { name: 'Set at' }).selectOption('app');
    await page.getByText('2 of 3').waitFor(WAIT);
    assert.match(page.url(), /origin=app/);
  });

  it('are added, changed, marked and removed in one request, reviewed before', async () => {
    await using visited = await ground.visit(API);
    const { page } = visited;
    await ground.daemon.client.setAppEnv({ params: paramsOf(SEEDED.api), body: { set: { OLD: '1', PLAIN: 'p' } } });
    await row(page, 'OLD').waitFor(WAIT);
    await addVariable(page, 'DATABASE_URL', 'postgres://db', true);
    await changeVariable(page, 'LOG_LEVEL', 'trace');
    await row(page, 'PLAIN').getByRole('button', { name: 'Edit PLAIN' }).click();
    await page.getByRole('table').getByRole('checkbox', { name: 'Secret' }).check();
    await press(page, 'Take over');
    await press(page, 'Remove OLD');
    await press(page, 'Review and save…');

    const review = dialog(page, 'Save these changes?');
    const changes = await textOf(review.getByRole('list', { name: 'Changes' }));
    assert.match(
      changes,
      /DATABASE_URL\s+added, a secret[\s\S]*LOG_LEVEL\s+added[\s\S]*OLD\s+removed[\s\S]*PLAIN\s+becomes a secret/,
    );
    assert.doesNotMatch(changes, /postgres/);
    await review.getByText('They take effect with the next deploy of the app.').waitFor(WAIT);
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
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
    assert.equal(await page.getByText('not saved').count(), 0);
  });

  it('lose their mark as secrets in one replacement that keeps the rest', async () => {
    const params = paramsOf(SEEDED.worker);
    await ground.daemon.client.setAppEnv({ params, body: { set: { A: '1', B: '2' }, secret: ['A', 'B'] } });
    await using visited = await ground.visit(`/projects/${SEEDED.worker}/environment`);
    const { page } = visited;
    await press(page, 'Edit A');
    await page.getByRole('table').getByRole('checkbox', { name: 'Secret' }).uncheck();
    await press(page, 'Take over');
    await press(page, 'Review and save…');
    await page.getByText('is no secret any more').waitFor(WAIT);
    await press(page, 'Save');
    await dialog(page, 'Save these changes?').waitFor({ ...WAIT, state: 'hidden' });

    const { vars, secret } = await read(SEEDED.worker);
    assert.deepEqual([vars, secret], [{ A: '1', B: '2' }, ['B']]);
  });

  it('are saved and deployed at once, and the deployment is shown', async () => {
    await using visited = await ground.visit(STAGED);
    const { page } = visited;
    await addVariable(page, 'FLAG', 'on');
    await press(page, 'Review and save…');
    await press(page, 'Save and deploy');
    await page.waitForURL(/\/deployments\/\d+$/, WAIT);

    const id = page.url().split('/').at(-1) ?? '';
    const deployment = await ground.daemon.client.getDeployment({
      params: { ...paramsOf(SEEDED.stagedWeb), deployment: id },
    });
    assert.equal(deployment.trigger.via, 'dashboard');
    assert.equal((await read(SEEDED.stagedWeb)).vars.FLAG, 'on');
  });

  it('come from a pasted file, of which it is said line by line what was understood', async () => {
    await using visited = await ground.visit(`${WEB}?paste=1`);
    const { page } = visited;
    const paste = dialog(page, 'Paste a .env file');
    await paste
      .getByRole('textbox', { name: 'The file’s text' })
      .fill('# shop\nexport NEW_KEY="a b"\nLOG_LEVEL=info\nnonsense\nNEW_KEY=last\nCERT="one\ntwo"\n');
    const lines = await textOf(paste.getByRole('list', { name: 'What was understood' }));

    assert.match(lines, /2\s+NEW_KEY[\s\S]*left out: line 5 sets it again/);
    assert.match(lines, /3\s+LOG_LEVEL[\s\S]*changes the value/);
    assert.match(lines, /4\s+nonsense: has no «=»/);
    assert.match(lines, /6\s+CERT[\s\S]*2 lines, new/);
    await paste.getByText('One line was not understood').waitFor(WAIT);
    assert.equal(await paste.getByRole('checkbox', { name: /Secret.*NEW_KEY/ }).isChecked(), true);
    await paste.getByRole('button', { name: 'Take over 3 variables' }).click();
    await page.getByText('3 changes are not saved.').waitFor(WAIT);
    await row(page, 'CERT').waitFor(WAIT);
    await press(page, 'Discard');
    await page.getByText('3 changes are not saved.').waitFor({ ...WAIT, state: 'hidden' });
  });

  it('are not lost when a name is refused: the reason stands in its row', async () => {
    await using visited = await ground.visit(WEB);
    visited.expectRefusal(400);
    const { page } = visited;
    await addVariable(page, 'DAVIT_MINE', '1');
    await addVariable(page, 'FINE', '2');
    await press(page, 'Review and save…');
    await press(page, 'Save');
    const review = dialog(page, 'Save these changes?');
    await review
      .getByRole('listitem')
      .filter({ hasText: 'DAVIT_MINE' })
      .getByText(/those are set by the platform/)
      .waitFor(WAIT);
    await press(page, 'Back');
    await page.getByText('2 changes are not saved.').waitFor(WAIT);
    await press(page, 'Remove DAVIT_MINE');
    await press(page, 'Review and save…');
    await press(page, 'Save');
    await review.waitFor({ ...WAIT, state: 'hidden' });

    const { vars } = await read(SEEDED.web);
    assert.equal(vars.FINE, '2');
    assert.equal('DAVIT_MINE' in vars, false);
  });

  it('are kept when somebody else was faster, with what is there now beside them', async () => {
    await using visited = await ground.visit(WEB);
    visited.expectRefusal(412);
    const { page } = visited;
    await changeVariable(page, 'LOG_LEVEL', 'mine');
    await press(page, 'Review and save…');
    // The other change is made while this one is on its way.
    let others = 0;
    await page.route('**/env', async (route, request: Request) => {
      if (request.method() === 'PATCH' && others++ === 0)
        await ground.daemon.client.setAppEnv({
          params: paramsOf(SEEDED.web),
          body: { set: { LOG_LEVEL: 'theirs', THEIRS: 'x' } },
        });
      await route.continue();
    });
    await press(page, 'Save');
    const review = dialog(page, 'Save these changes?');
    await review.getByText('Somebody else changed these in the meantime').waitFor(WAIT);
    const said = await textOf(review);

    assert.match(said, /LOG_LEVEL\s+app[\s\S]*debug[\s\S]*→[\s\S]*theirs/);
    assert.match(said, /THEIRS\s+app[\s\S]*was not there[\s\S]*→[\s\S]*x/);
    assert.equal((await read(SEEDED.web)).vars.LOG_LEVEL, 'theirs', 'nothing was written over it');
    await press(page, 'Save');
    await review.waitFor({ ...WAIT, state: 'hidden' });
    const { vars } = await read(SEEDED.web);
    assert.deepEqual([vars.LOG_LEVEL, vars.THEIRS], ['mine', 'x']);
  });

  it('are kept while the instance is away, and can be saved when it is back', async () => {
    await using visited = await ground.visit(API);
    visited.expectRefusal(0, 502, 503);
    const { page } = visited;
    await addVariable(page, 'LATER', '1');
    await press(page, 'Review and save…');
    const comeBack = await address.away(ground.daemon);
    await press(page, 'Save');
    const review = dialog(page, 'Save these changes?');
    await review.getByRole('alert').waitFor(WAIT);
    await comeBack();
    await review.getByText('LATER').waitFor(WAIT);
    await press(page, 'Save');
    await review.waitFor({ ...WAIT, state: 'hidden' });

    assert.equal((await read(SEEDED.api)).vars.LATER, '1');
  });

  it('are asked about before they are left', async () => {
    await using visited = await ground.visit(WEB);
    const { page } = visited;
    await addVariable(page, 'DRAFT', '1');
    await page.getByRole('link', { name: 'Overview' }).last().click();
    const leave = dialog(page, 'Leave without saving?');
    await leave.getByRole('button', { name: 'Stay' }).click();
    await row(page, 'DRAFT').waitFor(WAIT);
    await page.getByRole('link', { name: 'Overview' }).last().click();
    await leave.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(`**/projects/${SEEDED.web}`, WAIT);
  });

  it('show their names and no secret to a viewer, who is told why nothing can be changed', async () => {
    await using visited = await ground.visit(WEB, { role: 'viewer' });
    const { page } = visited;
    const answers: string[] = [];
    page.on('response', async (response) => {
      if (response.url().endsWith('/env')) answers.push(await response.text());
    });
    await page.reload();
    await row(page, 'API_TOKEN').getByText('hidden from your role').waitFor(WAIT);

    await page.getByText(/This needs the role member; yours is viewer/).waitFor(WAIT);
    assert.equal(await page.getByRole('button', { name: /^Reveal/ }).count(), 0);
    for (const name of ['Add variable', 'Paste .env', 'Edit LOG_LEVEL', 'Remove LOG_LEVEL']) {
      const button = page.getByRole('button', { name, exact: true });
      assert.equal(await button.getAttribute('aria-disabled'), 'true', name);
      await button.dispatchEvent('click');
    }
    assert.equal(await page.getByText('not saved').count(), 0);
    assert.ok(answers.length > 0);
    assert.doesNotMatch(answers.join('\n') + (await page.content()), /s3cret/);
  });

  it('can be changed by a member', async () => {
    await using visited = await ground.visit(WEB, { role: 'member' });
    await addVariable(visited.page, 'BY_MEMBER', '1');
    await press(visited.page, 'Review and save…');
    await press(visited.page, 'Save');
    await dialog(visited.page, 'Save these changes?').waitFor({ ...WAIT, state: 'hidden' });

    assert.equal((await read(SEEDED.web)).vars.BY_MEMBER, '1');
  });

  it('are the same of a project and of an environment, deployed wherever they make a difference', async () => {
    await using visited = await ground.visit('/projects/shop/settings');
    const { page } = visited;
    await addVariable(page, 'EVERYWHERE', '1');
    await press(page, 'Review and save…');
    await press(page, 'Save and deploy');
    await page.getByText('Saved. 4 deployments have started.').waitFor(WAIT);
    await page.goto('/projects/shop/staging/settings');
    await row(page, 'EVERYWHERE').getByRole('link', { name: 'project' }).waitFor(WAIT);
    await changeVariable(page, 'EVERYWHERE', '2');
    await press(page, 'Review and save…');
    await press(page, 'Save');
    await dialog(page, 'Save these changes?').waitFor({ ...WAIT, state: 'hidden' });

    const { effective } = await read(SEEDED.stagedWeb);
    const everywhere = effective.find(({ key }) => key === 'EVERYWHERE');
    assert.deepEqual([everywhere?.value, everywhere?.source], ['2', 'environment']);
    await ground.daemon.settled();
  });

  for (const [size, viewport] of Object.entries({ wide: WIDE, phone: PHONE }))
    for (const colorScheme of ['light', 'dark'] as const)
      it(`have no barriers, ${size} and ${colorScheme}`, async () => {
        await using visited = await ground.visit(WEB, { viewport, colorScheme });
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
        await press(page, 'Paste .env');
        await page.getByRole('textbox', { name: 'The file’s text' }).fill('A=1\nno');
        await clean('paste');
      });
});
