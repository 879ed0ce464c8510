/** The settings of the instance in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TestDaemon } from '@davit/testkit';
import type { Page } from 'playwright-core';
import { type DashboardBrowser, openDashboard } from '../../support/dashboard-browser.ts';
import { hasValue, looksRight } from '../../support/dashboard-looks.ts';
import { inLong, someOf } from '../../support/tiers.ts';

const shows = (text: string) => (page: Page) => page.getByText(text).first().waitFor();

describe('the settings page', () => {
  let fixture: DashboardBrowser;
  let daemon: TestDaemon;
  before(async () => {
    fixture = await openDashboard();
    daemon = fixture.daemon;
  });
  after(() => fixture[Symbol.asyncDispose]());

  it('saves only changed settings and explains their effect before they are saved', async () => {
    await using visited = await fixture.visit('/settings?section=records');
    const { page } = visited;
    await page.getByLabel('Log lines').fill('14');
    await page.getByLabel('Logs of one app').fill('512');
    await page.getByText('Log lines: If the stored data exceeds the new limit').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved the settings.').waitFor();
    // The toast covers the Save button.
    await page.getByRole('button', { name: 'Dismiss' }).click();
    const { logs, audit } = await daemon.client.getSettings();
    assert.deepEqual(logs, { bytes_per_app: 512 * 1024 * 1024, days: 14, daemon_bytes: 32 * 1024 * 1024 });
    assert.equal(audit.days, 400);
    await page.getByLabel('Log lines').fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved the settings.').first().waitFor();
    await hasValue(page.getByLabel('Log lines'), '30');
    assert.equal((await daemon.client.getSettings()).logs.days, 30);
  });

  it('shows a server error at its field', inLong, async () => {
    await using visited = await fixture.visit('/settings?section=images');
    visited.expectRefusal(400);
    const { page } = visited;
    await page.getByLabel('Show a warning from').fill('99');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('must be at most refuse_percent').waitFor();
    assert.equal(await page.getByLabel('Show a warning from').getAttribute('aria-invalid'), 'true');
    await page.getByRole('button', { name: 'Discard' }).click();
    assert.equal(await page.getByLabel('Show a warning from').inputValue(), '80');
  });

  it('saves lists with one entry for each line and reports an invalid line', inLong, async () => {
    await using visited = await fixture.visit('/settings?section=network');
    visited.expectRefusal(400);
    const { page } = visited;
    const saved = () => page.getByText('Saved the settings.').waitFor();
    await page.getByLabel('Trusted proxies: X-Forwarded-For').fill('10.0.0.0/8\n203.0.113.5');
    await page.getByLabel('Services on the server').fill('192.0.2.5:5432\n127.0.0.1:5433');
    await page.getByLabel('Private registries').fill('registry.internal:5000');
    await page
      .getByText('Every client in these networks can spoof its IP address with the X-Forwarded-For header.')
      .waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Line 2: address must be an address of the server').waitFor();
    assert.equal(await page.getByLabel('Services on the server').getAttribute('aria-invalid'), 'true');
    await page.getByLabel('Services on the server').fill('192.0.2.5:5432');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await saved();
    const { trusted_proxies, host_access, registries } = await daemon.client.getSettings();
    assert.deepEqual(trusted_proxies, { forwarded_for: ['10.0.0.0/8', '203.0.113.5'], proxy_protocol: [] });
    assert.deepEqual(host_access, [{ address: '192.0.2.5', port: 5432, protocol: 'tcp' }]);
    assert.deepEqual(registries.private_hosts, ['registry.internal:5000']);
    await daemon.client.patchSettings({ body: { trusted_proxies: null, host_access: null, registries: null } });
    await hasValue(page.getByLabel('Private registries'), '');
  });

  it('follows changes by other users and does not overwrite conflicting changes', inLong, async () => {
    await using visited = await fixture.visit('/settings?section=api');
    visited.expectRefusal(412);
    const { page } = visited;
    await page.getByLabel('Open streams').waitFor();
    await daemon.client.patchSettings({ body: { api: { streams_per_user: 150 } } });
    await hasValue(page.getByLabel('Open streams'), '150');
    await page.getByLabel('Open streams').fill('160');
    await daemon.client.patchSettings({ body: { api: { streams_per_user: 170 } } });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Load current settings' }).click();
    await hasValue(page.getByLabel('Open streams'), '170');
    assert.equal((await daemon.client.getSettings()).api.streams_per_user, 170);
  });

  it('connects an external account without showing the key again', inLong, async () => {
    await using visited = await fixture.visit('/settings?section=certificates');
    const { page } = visited;
    await page.getByRole('button', { name: 'Connect account…' }).click();
    await page.getByLabel('Key ID').fill('kid-1');
    await page.getByLabel('HMAC key').fill('c2VjcmV0LXNlY3JldA');
    await page.getByRole('button', { name: 'Connect account' }).click();
    await page.getByText('kid-1').first().waitFor();
    assert.equal((await daemon.client.getAuthority()).external_account, 'kid-1');
    assert.ok(!(await page.content()).includes('c2VjcmV0'));
  });

  it('shows the instance’s ID and that Docker is simulated', inLong, async () => {
    const { id } = await daemon.client.getInstance();
    await using visited = await fixture.visit('/settings?section=about', { role: 'viewer' });
    await visited.page.getByText(id, { exact: true }).waitFor();
    await visited.page.getByText('Docker is simulated on this instance, so no real containers run.').waitFor();
  });

  it('shows whether platform images are updated and checks for updates', inLong, async () => {
    await daemon.client.patchSettings({ body: { platform_images: { check: false } } });
    await using visited = await fixture.visit('/settings?section=about');
    const { page } = visited;
    await page.getByText('off, no automatic updates').waitFor();
    const requested = page.waitForRequest((request) => request.url().endsWith('/api/instance/platform-images/check'));
    await page.getByRole('button', { name: 'Check for updates' }).click();
    assert.equal((await (await requested).response())?.status(), 202);
    await daemon.client.patchSettings({ body: { platform_images: null } });
    await page.getByText('on', { exact: true }).waitFor();
  });

  it('shows read-only settings to viewers and members', inLong, async () => {
    for (const role of someOf(['viewer', 'member'] as const)) {
      await using visited = await fixture.visit('/settings?section=records', { role });
      const { page } = visited;
      await page
        .getByText(`This operation requires the role admin, but your role is ${role}. Ask an admin to do it.`)
        .waitFor();
      assert.equal(await page.getByLabel('Audit log').inputValue(), '400');
      assert.equal(await page.getByLabel('Audit log').isDisabled(), true);
      assert.equal(await page.getByRole('button', { name: 'Save', exact: true }).getAttribute('aria-disabled'), 'true');
    }
  });

  it('has no accessibility problems or overflow, wide and narrow, light and dark', async () => {
    const pages = [
      ['/settings', 'Domain and addresses', 'admin'],
      ['/settings?section=certificates', 'External account', 'admin'],
      ['/settings?section=records', 'Logs, charts and records', 'viewer'],
      ['/settings?section=about', 'This instance', 'admin'],
      ['/settings?section=network', 'Private registries', 'admin'],
    ] as const;
    for (const [path, words, role] of someOf(pages)) {
      await looksRight(fixture, path, { ready: shows(words), role });
    }
  });
});

describe('the settings page while the instance is unavailable', () => {
  it('shows an error after saving and keeps the typed value', inLong, async () => {
    await using fixture = await openDashboard({ seed: false });
    await using visited = await fixture.visit('/settings?section=records');
    const { page } = visited;
    await page.getByLabel('Log lines').fill('14');
    visited.expectRefusal(0);
    await fixture.daemon.stop();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('main').getByRole('alert').first().waitFor();
    assert.equal(await page.getByLabel('Log lines').inputValue(), '14');
  });
});
