/** Linked object stores in a real browser, with an S3 server of the test: link, check, browse, attach and unlink. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { button, dialog, looksRightAt } from '../../support/data-steps.ts';
import { type S3Server, startS3Server } from '../../support/s3-server.ts';
import { inLong, someOf } from '../../support/tiers.ts';

const BUCKET = 'pictures';
const PAGES = [
  '/object-stores',
  '/object-stores/media',
  '/object-stores/media?tab=buckets',
  `/object-stores/media?tab=buckets&bucket=${BUCKET}`,
  '/object-stores/media?tab=settings',
  '/object-stores?new=link',
];

let fixture: DashboardBrowser;
let s3: S3Server;
before(async () => {
  [fixture, s3] = await Promise.all([openDashboard(), startS3Server()]);
  const { client } = fixture.daemon;
  const connection = { endpoint: s3.url, region: s3.region, path_style: true, public_endpoint: s3.url };
  const keys = { access_key: s3.accessKey, secret_key: s3.secretKey };
  await client.linkObjectStore({ body: { name: 'media', provider: 'generic', ...connection, ...keys } });
  await client.createBucket({ params: { object_store: 'media' }, body: { name: BUCKET } });
  for (const key of ['ship.txt', 'harbour/quay.txt', 'harbour/north/light.txt']) await upload(key, `about ${key}`);
});
after(async () => {
  await fixture[Symbol.asyncDispose]();
  await s3[Symbol.asyncDispose]();
});

async function upload(key: string, text: string): Promise<void> {
  const params = { object_store: 'media', bucket: BUCKET };
  const { url } = await fixture.daemon.client.presignObject({ params, body: { key, method: 'PUT' } });
  const answer = await fetch(url, { method: 'PUT', body: text });
  assert.equal(answer.status, 200, await answer.text());
}

const field = (page: Page, name: string) => dialog(page).getByRole('textbox', { name: new RegExp(`^${name}`) });

async function fillKeys(page: Page, secret: string): Promise<void> {
  await dialog(page).getByRole('combobox', { name: 'Provider' }).selectOption('generic');
  await field(page, 'Endpoint').first().fill(s3.url);
  await field(page, 'Region').fill(s3.region);
  await field(page, 'Access key').fill(s3.accessKey);
  await dialog(page).getByLabel('Secret key').fill(secret);
}

describe('linked object stores in the dashboard', () => {
  it('are linked if the keys work, with an error in the form otherwise', async () => {
    await using visited = await fixture.visit('/object-stores');
    const { page } = visited;
    await button(page, 'Link store…').click();
    await field(page, 'Name').fill('offsite');
    await fillKeys(page, 'not-the-secret');
    visited.expectRefusal(400, 409, 422, 502);
    await button(page, 'Check and link store').click();
    await dialog(page).getByRole('alert').first().waitFor();
    await dialog(page).getByLabel('Secret key').fill(s3.secretKey);
    await button(page, 'Check and link store').click();
    await page.waitForURL(/\/object-stores\/offsite$/);
    await button(page, 'Check connection').click();
    await page.getByText(/^The check succeeded/).waitFor();
    assert.ok(!(await page.content()).includes(s3.secretKey));
  });

  it('can be given another public endpoint', inLong, async () => {
    await using visited = await fixture.visit('/object-stores/media?tab=settings');
    const { page } = visited;
    const readEndpoint = async () =>
      (await fixture.daemon.client.getObjectStore({ params: { object_store: 'media' } })).public_endpoint;
    await button(page, 'Change endpoint…').click();
    await field(page, 'Public endpoint').fill('https://files.example.com');
    await button(page, 'Check and change endpoint').click();
    await page.getByText('Changed the endpoint of media.').first().waitFor();
    assert.equal(await readEndpoint(), 'https://files.example.com');
    await button(page, 'Change endpoint…').click();
    await field(page, 'Public endpoint').fill(s3.url);
    await button(page, 'Check and change endpoint').click();
    await dialog(page).waitFor({ state: 'detached' });
    assert.equal(await readEndpoint(), s3.url);
  });

  it('can be browsed folder by folder', async () => {
    await using visited = await fixture.visit('/object-stores/media?tab=buckets');
    const { page } = visited;
    await page.getByRole('link', { name: BUCKET, exact: true }).click();
    const table = page.getByRole('table', { name: 'Objects' });
    await table.getByText('ship.txt', { exact: true }).first().waitFor();
    await table.getByRole('link', { name: 'harbour/' }).click();
    await table.getByRole('link', { name: 'north/' }).click();
    await table.getByText('light.txt', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'harbour', exact: true }).click();
    await table.getByText('quay.txt', { exact: true }).first().waitFor();
  });

  it('accept an upload through a presigned URL and delete the object', inLong, async () => {
    await using visited = await fixture.visit(`/object-stores/media?tab=buckets&bucket=${BUCKET}`);
    const { page } = visited;
    await button(page, 'Upload…').click();
    await field(page, 'Key').fill('new/mast.txt');
    await button(page, 'Create URL').click();
    const command = (await dialog(page).locator('code').textContent()) ?? '';
    const url = /'(http[^']+)'$/.exec(command)?.[1] ?? '';
    assert.equal((await fetch(url, { method: 'PUT', body: 'tall' })).status, 200);
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await page.goto(`/object-stores/media?tab=buckets&bucket=${BUCKET}&prefix=new/`);
    const row = page.getByRole('row').filter({ hasText: 'mast.txt' });
    await row.getByRole('button', { name: /^Delete/ }).click();
    await button(page, 'Delete object').click();
    await page.getByText('This folder is empty').waitFor();
  });

  it('delete a folder with its objects if its name is typed', inLong, async () => {
    await upload('waste/one.txt', '1');
    await upload('waste/two.txt', '2');
    await using visited = await fixture.visit(`/object-stores/media?tab=buckets&bucket=${BUCKET}`);
    const { page } = visited;
    const row = page.getByRole('row').filter({ hasText: 'waste/' });
    await row.getByRole('button', { name: /^Delete/ }).click();
    await dialog(page).getByRole('textbox').fill('waste/');
    await button(page, 'Delete all objects').click();
    await page.getByText('2 objects deleted.').first().waitFor();
    await row.waitFor({ state: 'detached' });
  });

  it('can create, attach, detach and delete a bucket', inLong, async () => {
    await using visited = await fixture.visit('/object-stores/media?tab=buckets');
    const { page } = visited;
    await button(page, 'New bucket…').click();
    await field(page, 'Name').fill('letters');
    await button(page, 'Create bucket').click();
    const row = page.getByRole('row').filter({ hasText: 'letters' });
    await row.getByRole('button', { name: /^Attach app…/ }).click();
    await dialog(page).getByRole('combobox', { name: 'App' }).selectOption('shop/production/web');
    await field(page, 'Prefix').fill('MAIL_');
    await button(page, 'Attach app').click();
    await page.getByText('Attached shop/production/web.').first().waitFor();
    await page.goto('/object-stores/media');
    await page.getByRole('list', { name: 'Attached apps' }).getByText('MAIL_S3_ENDPOINT').waitFor();
    await button(page, /^Detach/).click();
    await button(page, 'Detach app').click();
    await page.getByText('No attached apps').waitFor();
    await page.goto('/object-stores/media?tab=buckets');
    await row.getByRole('button', { name: /^Delete/ }).click();
    await dialog(page).getByRole('textbox').fill('letters');
    await button(page, 'Delete bucket').click();
    await row.waitFor({ state: 'detached' });
  });

  it('show their keys on request to an admin, but not to a viewer', inLong, async () => {
    await using visited = await fixture.visit('/object-stores/media');
    const { page } = visited;
    await button(page, 'Show keys').click();
    await button(page, 'Reveal Secret key').click();
    await page.getByText(s3.secretKey, { exact: true }).waitFor();
    await using other = await fixture.visit('/object-stores/media', { role: 'viewer' });
    assert.equal(await button(other.page, 'Show keys').getAttribute('aria-disabled'), 'true');
  });

  it('show an error if the store refuses access', inLong, async () => {
    s3.trouble = () => ({ status: 403, code: 'AccessDenied', message: 'No.' });
    await using visited = await fixture.visit('/object-stores/media?tab=buckets');
    visited.expectRefusal(400, 403, 409, 422, 502, 503);
    await visited.page.getByRole('alert').first().waitFor();
    s3.trouble = undefined;
  });

  it('can be unlinked if their name is typed', inLong, async () => {
    const { client } = fixture.daemon;
    const keys = { access_key: 'AKIAEXAMPLE', secret_key: 'nobody-reads-this' };
    const body = { name: 'brief', provider: 'aws' as const, region: 'eu-central-1', ...keys };
    await client.linkObjectStore({ query: { check: 'false' }, body });
    await using visited = await fixture.visit('/object-stores/brief?tab=settings');
    visited.expectRefusal(404);
    const { page } = visited;
    await button(page, 'Unlink…').click();
    await dialog(page).getByRole('textbox').fill('brief');
    await button(page, 'Unlink store').click();
    await page.waitForURL(/\/object-stores$/);
    await page.getByRole('link', { name: 'brief' }).waitFor({ state: 'detached' });
  });

  it('show an empty state on an instance without object stores', inLong, async () => {
    await using empty = await openDashboard({ seed: false });
    await using visited = await empty.visit('/object-stores');
    await visited.page.getByText('No object stores').waitFor();
  });

  for (const path of someOf(PAGES)) {
    it(`have no accessibility problems or overflow at ${path}`, () => looksRightAt(fixture, path));
  }
});
