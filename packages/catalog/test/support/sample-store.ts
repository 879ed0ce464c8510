/** Sample data for tests of the catalog database. A test sets only the values that it needs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SourceRelease, SourceRepository } from '../../src/source/source.ts';
import { openReader } from '../../src/store/reader.ts';
import { openRecords } from '../../src/store/records.ts';
import type { CatalogReader, CrawlRecords, Hidden, Judgement, ListQuery, PassReport } from '../../src/store/types.ts';

export function sampleRepository(id: number, given: Partial<SourceRepository> = {}): SourceRepository {
  const { owner = 'acme', name = `app-${id}` } = given;
  return {
    id,
    nodeId: null,
    owner,
    ownerId: 1,
    name,
    description: '',
    url: `https://github.com/${owner}/${name}`,
    avatarUrl: `https://github.com/${owner}.png`,
    stars: 0,
    topics: [],
    private: false,
    releases: [],
    ...given,
  };
}

export function sampleRelease(tag = '1.0.0', given: Partial<SourceRelease> = {}): SourceRelease {
  return {
    tag,
    name: tag,
    url: `https://github.com/acme/app/releases/tag/${tag}`,
    commit: 'c'.repeat(40),
    publishedAt: '2026-01-02T03:04:05Z',
    ...given,
  };
}

export function sampleAccepted(given: Partial<Extract<Judgement, { status: 'accepted' }>> = {}): Judgement {
  return {
    status: 'accepted',
    problems: [],
    manifest: '{"schema_version":1}',
    manifestName: null,
    source: 'version: 1\n',
    readme: '# App\n',
    icon: 'a'.repeat(64),
    ...given,
  };
}

export const SAMPLE_REJECTED: Judgement = {
  status: 'rejected',
  problems: [{ severity: 'error', code: 'yaml.empty', message: 'The file is empty.', path: [] }],
};

export const SAMPLE_PASS: PassReport = {
  startedAt: '2026-01-02T03:04:05Z',
  finishedAt: '2026-01-02T03:05:05Z',
  repositories: 1,
  accepted: 1,
  rejected: 0,
  hidden: 0,
  failed: 0,
  error: null,
};

/** Records a repository with one accepted release. */
export function saveTemplate(
  records: CrawlRecords,
  repository: SourceRepository,
  { release = sampleRelease(), hidden = null as Hidden | null, judgement = sampleAccepted() } = {},
): void {
  records.saveRepository(repository, hidden);
  records.saveRelease(repository.id, release, judgement, 1);
}

export function everything(given: Partial<ListQuery> = {}): ListQuery {
  return { q: null, tag: null, sort: 'recent', limit: 48, after: null, ...given };
}

/** Creates a temporary folder that is removed at the end of the test. */
export function temporaryFolder(context: { after(work: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'davit-catalog-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Opens an empty database for reading and writing. */
export function openStore(context: { after(work: () => void): void }): {
  path: string;
  records: CrawlRecords;
  reader: CatalogReader;
} {
  const path = join(temporaryFolder(context), 'catalog.db');
  const [records, reader] = [openRecords(path), openReader(path)];
  context.after(() => {
    reader[Symbol.dispose]();
    records[Symbol.dispose]();
  });
  return { path, records, reader };
}

export function namesIn(reader: CatalogReader, query: Partial<ListQuery> = {}): string[] {
  return reader.list(everything(query)).templates.map(({ name }) => name);
}
