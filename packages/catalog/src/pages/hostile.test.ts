/** Tests that pages escape all values that template authors control. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Diagnostic } from '@davit/template';
import { HOSTILE, sampleApp, sampleItem, sampleManifest, sampleSite } from '../../test/support/sample-pages.ts';
import { sampleRelease } from '../../test/support/sample-store.ts';
import { checkPage } from './check-page.ts';
import { listingPage } from './listing-page.ts';
import { type Html, outward } from './markup.ts';
import { unknownTemplatePage, unlistedPage } from './plain-pages.ts';
import { templatePage } from './template-page.ts';

const SITE = sampleSite();
const NOW = new Date('2026-03-10T12:00:00Z');
const HOSTILE_RELEASE = sampleRelease(HOSTILE, { name: HOSTILE, url: `javascript:alert(1)//${HOSTILE}` });
const HOSTILE_ITEM = sampleItem({
  owner: HOSTILE,
  name: HOSTILE,
  description: HOSTILE,
  manifestName: HOSTILE,
  url: `javascript:${HOSTILE}`,
  topics: [HOSTILE],
  release: HOSTILE_RELEASE,
});
const SAID: Diagnostic[] = [
  { severity: 'warning', code: HOSTILE, message: HOSTILE, hint: HOSTILE, path: [HOSTILE], line: 1, column: 1 },
  { severity: 'info', code: HOSTILE, message: HOSTILE, path: [] },
];
const WHEN = { input: HOSTILE, equals: HOSTILE };
const MANIFEST = sampleManifest({
  inputs: [
    {
      key: HOSTILE,
      type: 'choice',
      label: HOSTILE,
      help: HOSTILE,
      required: true,
      options: [HOSTILE],
      default: HOSTILE,
    },
    { key: 'b', type: 'text', label: HOSTILE, required: true, pattern: HOSTILE },
  ],
  databases: [
    {
      ...{ key: HOSTILE, name: HOSTILE, engine: HOSTILE, version: HOSTILE, extensions: [HOSTILE], username: HOSTILE },
      ...{ database: HOSTILE, expose: 1, limits: null, port: 1, when: WHEN },
    },
  ],
  stores: [{ key: HOSTILE, name: HOSTILE, version: HOSTILE, buckets: [HOSTILE], limits: null }],
  apps: [
    sampleApp({
      name: HOSTILE,
      source: { type: 'dockerfile', repo: `javascript:${HOSTILE}`, ref: HOSTILE, dockerfile: HOSTILE },
      health: HOSTILE,
      domains: [{ host: HOSTILE, port: 1, when: WHEN }],
      attach: [{ kind: 'store', key: HOSTILE, bucket: HOSTILE, prefix: HOSTILE }],
      volumes: [{ path: HOSTILE }],
      tcp: [{ port: 1, host: HOSTILE }],
      command: [HOSTILE],
      args: [HOSTILE],
      files: [{ path: HOSTILE, content: HOSTILE, mode: '0644' }],
      depends_on: [HOSTILE],
    }),
  ],
  jobs: [{ key: 'j', name: HOSTILE, app: HOSTILE, command: [HOSTILE], on: 'install', timeout: 1, depends_on: [] }],
});

/** Asserts that no value became markup: no tag, no event handler and no executable URL. */
async function demandInert(page: Html): Promise<void> {
  const text = String(await page);
  assert.doesNotMatch(text, /<script>|<img src=x|\son\w+='|\sstyle=/);
  assert.doesNotMatch(text, /href="\s*javascript:/i);
  assert.ok(text.includes('&lt;script&gt;'), 'what was written is there as text');
}

describe('pages with hostile text from authors', () => {
  it('escapes hostile text in listings and search queries', async () => {
    const sought = { q: HOSTILE, tag: HOSTILE, sort: 'recent' as const, continued: true };
    const view = { sought, next: HOSTILE, tags: [HOSTILE], count: 1, now: NOW };
    await demandInert(listingPage(SITE, { ...view, items: [HOSTILE_ITEM] }));
    await demandInert(listingPage(SITE, { ...view, items: [], sought: { ...sought, continued: false } }));
  });

  it('escapes hostile text on the page of a template', async () => {
    const releases = [{ ...HOSTILE_RELEASE, status: 'rejected' as const, problems: SAID }];
    await demandInert(
      templatePage(SITE, {
        ...{ item: HOSTILE_ITEM, manifest: MANIFEST, source: `a: ${HOSTILE} # ${HOSTILE}\n`, problems: SAID },
        ...{ readme: { kind: 'text' as const, text: HOSTILE }, releases, now: NOW },
      }),
    );
  });

  it('escapes hostile text on the check page', async () => {
    const checked = { valid: false, problems: SAID, manifest: null } as Parameters<typeof checkPage>[1]['checked'];
    await demandInert(checkPage(SITE, { text: `</textarea>${HOSTILE}`, checked }));
  });

  it('escapes hostile text on pages of unknown and unlisted templates', async () => {
    const releases = [{ ...HOSTILE_RELEASE, status: 'rejected' as const, problems: SAID }];
    await demandInert(unknownTemplatePage(SITE, HOSTILE, HOSTILE));
    await demandInert(unlistedPage(SITE, { owner: HOSTILE, name: HOSTILE, releases, now: NOW }));
  });

  it('shows an invalid or unsafe address as plain text without a link', async () => {
    for (const address of ['javascript:alert(1)', 'data:text/html,x', ' java\nscript:alert(1)', 'x', ''])
      assert.equal(String(await outward(address, 'words')), '<span>words</span>');
  });
});
