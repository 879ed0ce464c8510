/** Sample data for tests of the HTML pages: a site and a template. */
import type { Manifest } from '@davit/template';
import { type CatalogConfig, makeConfig } from '../../src/config/config.ts';
import { type Item, itemOf } from '../../src/pages/item.ts';
import { createSite, type Site } from '../../src/pages/site.ts';
import type { ListedTemplate } from '../../src/store/types.ts';
import { sampleRelease, sampleRepository } from './sample-store.ts';

/** Text that contains markup, for tests that every page escapes it. */
export const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>\u202e&amp;`;

export function sampleConfig(given: Partial<CatalogConfig> = {}): CatalogConfig {
  const raw = {
    url: 'https://templates.example.com',
    dataDir: '/nowhere',
    source: 'dir:/nowhere',
    topics: 'davit-template',
  };
  return { ...makeConfig(raw, { isRoot: false, xdgDataHome: undefined }), ...given };
}

export function sampleSite(given: Partial<CatalogConfig> = {}): Site {
  return createSite(sampleConfig(given));
}

export function sampleItem(given: Partial<ListedTemplate> = {}): Item {
  const { ownerId, avatarUrl, ...repository } = sampleRepository(7, { topics: ['davit-template', 'notes'] });
  const listed = { ...repository, ownerId, avatarUrl, manifestName: null, release: sampleRelease('v1.0.0'), ...given };
  return itemOf(listed, sampleConfig());
}

export function sampleManifest(given: Partial<Manifest> = {}): Manifest {
  return {
    schema_version: 1,
    min_cubeship: null,
    project: 'notes',
    environment: 'production',
    inputs: [],
    databases: [],
    stores: [],
    apps: [],
    ...given,
  };
}

export function sampleApp(given: Partial<Manifest['apps'][number]> = {}): Manifest['apps'][number] {
  return {
    key: 'web',
    name: 'web',
    source: { type: 'image', image: 'ghcr.io/example/notes', tag: '1.4.2' },
    port: 3000,
    health: '/health',
    domains: [],
    attach: [],
    env: {},
    limits: null,
    scale: null,
    spread: false,
    autoscale: null,
    volumes: [],
    tcp: [],
    internal_host: 'web.production.notes.internal',
    ...given,
  };
}
