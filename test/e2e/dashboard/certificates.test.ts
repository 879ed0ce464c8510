/** Certificates, the certificate authority and DNS providers in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { makeCertificate } from '../../../packages/daemon/test/support/make-certificate.ts';
import { simulatedLego } from '../../../packages/daemon/test/support/simulated-lego.ts';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { hasValue, isForgotten, looksRight } from '../../support/dashboard-looks.ts';
import { inLong, someOf } from '../../support/tiers.ts';

const HOST = 'shop.example.com';
const SECRET = 'a-token-that-nobody-sees';

describe('the certificates page', () => {
  let fixture: DashboardBrowser;
  before(async () => {
    fixture = await openDashboard({ lego: simulatedLego });
  });
  after(() => fixture[Symbol.asyncDispose]());

  const paste = async (page: Page, { certificate, key }: { certificate: string; key: string }) => {
    await page.getByLabel('Certificate', { exact: true }).fill(certificate);
    await page.getByLabel('Private key').fill(key);
  };

  it('explains why a host has no certificate and links to the required setting', async () => {
    await using visited = await fixture.visit('/certificates');
    const { page } = visited;
    const host = page.getByRole('listitem').filter({ hasText: HOST });
    await host.getByText(/settings set acme\.email=/).waitFor();
    await host.getByRole('link', { name: 'shop/production/web' }).waitFor();
    await host.getByRole('link', { name: 'Set a contact address in the settings' }).click();
    await page.getByLabel('Contact').waitFor();
    await page.goto('/certificates');
    await page.getByText('No certificates', { exact: true }).waitFor();
  });

  it('accepts a pasted certificate and refuses an invalid certificate or a wrong key', async () => {
    const [good, other] = [await makeCertificate([HOST]), await makeCertificate([HOST])];
    await using visited = await fixture.visit('/certificates');
    visited.expectRefusal(400);
    const { page } = visited;
    await page.getByRole('button', { name: 'Upload' }).click();
    const upload = page.getByRole('button', { name: 'Upload certificate' });
    await paste(page, { certificate: 'nothing of it', key: good.key });
    await upload.click();
    await page.locator('textarea[aria-invalid]').first().waitFor();
    await paste(page, { certificate: good.certificate, key: other.key });
    await upload.click();
    await page.getByRole('alert').filter({ hasText: /key/ }).first().waitFor();
    await paste(page, good);
    await upload.click();
    const row = page.getByRole('table', { name: 'Certificates' }).getByRole('row').filter({ hasText: HOST });
    await row.getByText('uploaded').waitFor();
    await row.getByRole('link', { name: 'shop/production/web' }).waitFor();
    await isForgotten(page, good.key.split('\n')[1] ?? good.key);
  });

  it('replaces a certificate from a file and removes a certificate', async () => {
    const next = await makeCertificate([HOST, `www.${HOST}`], { days: 90 });
    await using visited = await fixture.visit('/certificates');
    const { page } = visited;
    await page.getByRole('button', { name: `Open ${HOST}` }).click();
    await page.getByRole('button', { name: 'Replace…' }).click();
    await page.getByLabel('Choose files…').setInputFiles({
      name: 'both.pem',
      mimeType: 'application/x-pem-file',
      buffer: Buffer.from(`${next.key}\n${next.certificate}`),
    });
    await hasValue(page.getByLabel('Private key'), /PRIVATE KEY/);
    await page.getByRole('button', { name: 'Replace certificate' }).click();
    await page.getByRole('cell', { name: new RegExp(`www\\.${HOST}`) }).waitFor();
    const [stored] = await fixture.daemon.client.listCertificates();
    assert.deepEqual([stored?.id, stored?.hosts], [1, [HOST, `www.${HOST}`]]);

    await page.goto('/certificates?certificate=1&do=remove');
    await page.getByLabel(`Type “${HOST}” to confirm`).fill(HOST);
    await page.getByRole('button', { name: 'Remove certificate' }).click();
    await page.getByText('No certificates', { exact: true }).waitFor();
    assert.deepEqual(await fixture.daemon.client.listCertificates(), []);
  });

  it('shows the certificate authority, its usage and the missing contact address', inLong, async () => {
    await using visited = await fixture.visit('/certificates?tab=authority');
    await visited.page.getByRole('heading', { name: 'Let’s Encrypt' }).waitFor();
    await visited.page.getByText('Davit requests no certificates, because no contact address is set.').waitFor();
    await visited.page.getByText('0 of 300').waitFor();
  });

  it('adds, edits and removes a DNS provider without showing its credentials again', inLong, async () => {
    await using visited = await fixture.visit('/certificates?tab=dns');
    visited.expectRefusal(400);
    const { page } = visited;
    await page.getByRole('button', { name: 'Add provider' }).click();
    await page.getByLabel('Name').fill('main');
    await page.getByLabel('Domains').fill('example.com\nexample.org');
    await page.getByLabel('Value 1', { exact: true }).fill(SECRET);
    await page.getByRole('button', { name: 'Add provider' }).click();
    await page.getByText('“cloudflare” is not a DNS provider that lego supports').waitFor();
    await page.getByLabel('Provider', { exact: true }).selectOption('Other provider…');
    await page.getByLabel('Provider name in lego').fill('sample');
    await page.getByLabel('Variable 1', { exact: true }).fill('SAMPLE_TOKEN');
    await page.getByLabel('Value 1', { exact: true }).fill(SECRET);
    await page.getByRole('button', { name: 'Add provider' }).click();
    await page.getByRole('cell', { name: 'example.com, example.org' }).waitFor();
    await isForgotten(page, SECRET);

    await page.getByRole('button', { name: 'Edit main' }).click();
    await page.getByText('SAMPLE_TOKEN').last().waitFor();
    await page.getByLabel('Domains').fill('example.com');
    await page.getByRole('button', { name: 'Save provider' }).click();
    await page.getByRole('cell', { name: 'example.com', exact: true }).waitFor();
    const [stored] = await fixture.daemon.client.listDnsProviders();
    assert.deepEqual([stored?.variables, stored?.domains], [['SAMPLE_TOKEN'], ['example.com']]);

    await page.getByRole('button', { name: 'Remove main' }).click();
    await page.getByLabel('Type “main” to confirm').fill('main');
    await page.getByRole('button', { name: 'Remove provider' }).click();
    await page.getByText('No DNS providers').waitFor();
  });

  it('shows certificates to viewers and members, but lets only admins change certificates', inLong, async () => {
    for (const role of someOf(['viewer', 'member'] as const)) {
      await using visited = await fixture.visit('/certificates', { role });
      const { page } = visited;
      const upload = page.getByRole('button', { name: 'Upload' });
      await page.getByRole('listitem').filter({ hasText: HOST }).waitFor();
      assert.equal(await upload.getAttribute('aria-disabled'), 'true');
      for (const tab of ['Certificate authority', 'DNS providers']) {
        await page.getByRole('link', { name: tab }).click();
        await page
          .getByText(`This operation requires the role admin, but your role is ${role}. Ask an admin to do it.`)
          .first()
          .waitFor();
      }
      assert.ok(!visited.asked.some((request) => /authority|dns-providers/.test(request)));
    }
  });

  it('has no accessibility problems or overflow, wide and narrow, light and dark', async () => {
    const shows = (text: string) => (page: Page) => page.getByText(text).first().waitFor();
    const { certificate, key } = await makeCertificate(['looks.example.com'], { days: 5 });
    await fixture.daemon.client.uploadCertificate({ body: { certificate, key } });
    const pages = [
      ['/certificates', 'Domains without a certificate'],
      ['/certificates?certificate=2', 'Fingerprint'],
      ['/certificates?upload=1', 'Upload certificate'],
      ['/certificates?tab=authority', 'Directory'],
      ['/certificates?tab=dns&provider=new', 'Add provider'],
    ] as const;
    for (const [path, words] of someOf(pages)) {
      await looksRight(fixture, path, { ready: shows(words) });
    }
  });
});
