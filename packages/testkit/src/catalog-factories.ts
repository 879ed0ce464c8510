import { createHash } from 'node:crypto';
import type { CatalogManifest } from '@davit/api/catalog.ts';
import { avatarUrl, releaseUrl, repositoryUrl } from '@davit/catalog/source/addresses.ts';
import type { SourceRelease } from '@davit/catalog/source/source.ts';
import type { CrawlRecords, Hidden, Judgement } from '@davit/catalog/store/types.ts';

/** Values of a template release that a test creates. Missing values are generated. */
export interface GivenRelease extends Partial<SourceRelease> {
  rejected?: boolean;
  problems?: Judgement['problems'];
  manifest?: CatalogManifest;
  source?: string;
  readme?: string;
  icon?: Uint8Array;
}

/**
 * Template that a test adds to the catalog. The test sets only the fields that the test needs. All other fields get
 * generated values.
 */
export interface GivenTemplate {
  id?: number;
  owner?: string;
  ownerId?: number | null;
  name?: string;
  description?: string;
  stars?: number;
  topics?: string[];
  hidden?: Hidden;
  /** Releases of the template. By default, the template has one valid release. */
  releases?: GivenRelease[];
}

/** Header of a PNG file. The rest of the file is not needed, because tests that use this icon read only the header. */
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const VALIDATOR = 1;

let made = 0;

export function sampleManifest(project = 'sample'): CatalogManifest {
  const app = {
    ...{ key: 'web', name: 'web', source: { type: 'image' as const, image: 'ghcr.io/acme/web', tag: '1.0' } },
    ...{ port: 80, health: null, domains: [], attach: [], env: {}, limits: null, scale: null, spread: false },
    ...{ autoscale: null, volumes: [], tcp: [], internal_host: `web.production.${project}.internal` },
  };
  const none = { inputs: [], databases: [], stores: [] };
  return { schema_version: 1, min_cubeship: null, project, environment: 'production', ...none, apps: [app] };
}

/**
 * Adds a template with its releases to the catalog database. The catalog serves the template only after the next
 * publication of the template index.
 */
export function noteTemplate(records: CrawlRecords, given: GivenTemplate): { id: number; releases: SourceRelease[] } {
  made += 1;
  const { id = 1_000 + made, owner = 'acme', name = `template-${made}`, topics = ['davit-template'] } = given;
  const releases = (given.releases ?? [{}]).map((release, i) => ({
    given: release,
    made: releaseOf(release, owner, name, i),
  }));
  records.saveRepository(
    {
      ...{ id, nodeId: null, owner, ownerId: given.ownerId ?? null, name },
      ...{ description: given.description ?? '', stars: given.stars ?? 0, topics, private: false },
      ...{
        url: repositoryUrl(owner, name),
        avatarUrl: avatarUrl(owner),
        releases: releases.map(({ made: one }) => one),
      },
    },
    given.hidden ?? null,
  );
  for (const { given: release, made: one } of releases) {
    records.saveRelease(id, one, judgementOf(release, records, one.commit), VALIDATOR);
  }
  return { id, releases: releases.map(({ made: one }) => one) };
}

function releaseOf(given: GivenRelease, owner: string, name: string, index: number): SourceRelease {
  const tag = given.tag ?? `v1.0.${index}`;
  return {
    tag,
    name: given.name ?? `Release ${tag}`,
    url: given.url ?? releaseUrl(owner, name, tag),
    commit: given.commit ?? createHash('sha1').update(`${owner}/${name} ${tag} ${made}`).digest('hex'),
    publishedAt: given.publishedAt ?? new Date(Date.UTC(2026, 0, 1) + made * 1000).toISOString().replace('.000Z', 'Z'),
  };
}

function judgementOf(given: GivenRelease, records: CrawlRecords, commit: string): Judgement {
  const { problems = [] } = given;
  if (given.rejected) return { status: 'rejected', problems };
  const png = given.icon ?? Buffer.concat([PNG, Buffer.from(commit, 'hex')]);
  const icon = createHash('sha256').update(png).digest('hex');
  records.saveIcon(icon, png);
  const manifest = given.manifest ?? sampleManifest();
  const source = given.source ?? 'version: 1\nproject: sample\n';
  return {
    ...{ status: 'accepted', problems, manifest: JSON.stringify(manifest), manifestName: manifest.name ?? null },
    ...{ source, readme: given.readme ?? '# Sample\n', icon },
  };
}
