/** Records of the instance in the screenshots that the simulation does not create. */
import { createHash } from 'node:crypto';
import { putCertificate } from '@davit/daemon/db/tables/certificate.ts';
import { insertGrant, insertToken } from '@davit/daemon/db/tables/oauth.ts';
import { projectBySlug } from '@davit/daemon/db/tables/project.ts';
import { recordRepository } from '@davit/daemon/db/tables/repository.ts';
import type { TestDaemon } from '@davit/testkit';
import { unchecked } from '../../packages/daemon/src/db/select.ts';
import { ADA, APPS, PUSHED } from './company.ts';

const DAY = 86_400_000;
const DIRECTORY = 'https://acme-v02.api.letsencrypt.org/directory';

/** Records ordered certificates, and one uploaded certificate that expires soon. */
export function recordCertificates({ core: { store, sealer } }: TestDaemon, now: number): void {
  const put = (host: string, daysLeft: number, kind: 'acme' | 'custom' = 'acme') => {
    const from = now - (90 - daysLeft) * DAY;
    const digest = createHash('sha256').update(host).digest('hex');
    const isOrdered = kind === 'acme';
    const row = {
      ...{ kind, hosts: [host], chain: '', directory: isOrdered ? DIRECTORY : null },
      issuer: isOrdered ? 'Let’s Encrypt R13' : 'Example Ltd. issuing CA 2',
      ...{ serial: `04${digest.slice(0, 34)}`, fingerprint: digest },
      ...{ not_before: from, not_after: from + 90 * DAY, created_at: from, updated_at: from },
    };
    store.tx((tx) => void putCertificate(tx, null, row, (id) => sealer.seal('none', `certificates/${id}/key`)));
  };
  for (const host of ['example.org', 'registry.example.org']) put(host, 71);
  for (const host of ['shop.example.com', 'www.shop.example.com']) put(host, 64);
  for (const environment of ['production.shop', 'staging.shop', 'production.blog', 'production.tools']) {
    put(`*.${environment}.example.org`, 71);
  }
  put('blog.example.com', 17, 'custom');
}

/** Records connected programs of Ada. */
export function recordGrants({ core: { store } }: TestDaemon, now: number): void {
  const userId = store.get(unchecked<{ id: number }>('SELECT id FROM users WHERE username = ?'), ADA.username)?.id ?? 0;
  const shop = projectBySlug(store, 'shop')?.id ?? 0;
  const programs = [
    { name: 'Claude Code', host: 'claude.ai', role: 'viewer' as const, projects: null, days: 6, usedMs: 240_000 },
    { name: 'Zed', host: 'zed.dev', role: 'member' as const, projects: [shop], days: 19, usedMs: 2.2 * DAY },
  ];
  for (const { name, host, role, projects, days, usedMs } of programs) {
    const [at, expiresAt] = [now - days * DAY, now + 28 * DAY];
    const client = { clientName: name, clientId: `https://${host}/oauth/client.json` };
    store.tx((tx) => {
      const id = insertGrant(tx, { ...client, userId, role, projects, at, expiresAt });
      const token = { grant_id: id, resource: 'https://example.org/mcp', expires_at: expiresAt };
      insertToken(tx, createHash('sha256').update(name).digest('hex'), { ...token, kind: 'refresh' });
      tx.run('UPDATE oauth_grants SET used_at = ? WHERE id = ?', Math.round(now - usedMs), id);
    });
  }
}

export function recordRepositories(daemon: TestDaemon): void {
  const { store } = daemon.core;
  const megabytes = [148, 611];
  for (const [n, name] of PUSHED.entries()) {
    const tags = APPS.find(({ reference }) => reference === name)?.tags.length ?? 1;
    const bytes = (megabytes[n] ?? 1) * 1_000_000;
    store.tx((tx) => recordRepository(tx, { name, tags, bytes, unowned_since: null }));
  }
}
