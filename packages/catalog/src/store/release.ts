import type { SourceRelease } from '../source/source.ts';
import type { Connection } from './connection.ts';
import { markChanged } from './repository.ts';
import type { Judgement, RecordedRelease } from './types.ts';

type Accepted = Extract<Judgement, { status: 'accepted' }>;

export function recordedReleases(db: Connection, repository: number): RecordedRelease[] {
  return db
    .all<{ tag: string; commit_id: string; status: RecordedRelease['status']; validator: number; problems: string }>(
      'SELECT tag, commit_id, status, validator, problems FROM releases WHERE repository_id = ? ORDER BY id',
      repository,
    )
    .map(({ tag, commit_id, status, validator, problems }) => {
      const codes = new Set((JSON.parse(problems) as { code: string }[]).map(({ code }) => code));
      return { tag, commit: commit_id, status, validator, codes: [...codes] };
    });
}

/**
 * Returns the template file, the README and the icon hash of a release that passed all checks. Returns `null` for any
 * other release.
 */
export function acceptedParts(
  db: Connection,
  { repository, tag, commit }: { repository: number; tag: string; commit: string },
): { source: string; readme: string; icon: string } | null {
  const found = db.get<{ source: string; readme: string; icon: string }>(
    `SELECT c.source, c.readme, r.icon FROM releases r JOIN contents c ON c.id = r.content_id
      WHERE r.repository_id = ? AND r.tag = ? AND r.commit_id = ? AND r.status = 'accepted'`,
    repository,
    tag,
    commit,
  );
  return found ? { source: found.source, readme: found.readme, icon: found.icon } : null;
}

const COLUMNS = `repository_id, tag, commit_id, name, url, published_at, published, status, problems, validator,
  manifest_name, icon, content_id`;

/**
 * Saves a release. If the release already exists, its row id does not change. The row id determines the order of
 * releases with the same time.
 */
export function saveRelease(
  db: Connection,
  repository: number,
  release: SourceRelease,
  { judgement, validator }: { judgement: Judgement; validator: number },
): void {
  const before = contentOf(db, repository, release);
  const accepted = judgement.status === 'accepted' ? judgement : null;
  const content = accepted && saveContent(db, accepted, before);
  db.run(
    `INSERT INTO releases (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (repository_id, tag, commit_id) DO UPDATE SET name = excluded.name, url = excluded.url,
       published_at = excluded.published_at, published = excluded.published, status = excluded.status,
       problems = excluded.problems, validator = excluded.validator, manifest_name = excluded.manifest_name,
       icon = excluded.icon, content_id = excluded.content_id`,
    repository,
    release.tag,
    release.commit,
    release.name,
    release.url,
    release.publishedAt,
    Math.floor(Date.parse(release.publishedAt) / 1000),
    judgement.status,
    JSON.stringify(judgement.problems),
    validator,
    accepted?.manifestName ?? null,
    accepted?.icon ?? null,
    content,
  );
  if (before !== null && before !== content) forgetContent(db, before);
  markChanged(db, repository);
}

function contentOf(db: Connection, repository: number, { tag, commit }: SourceRelease): number | null {
  const found = db.get<{ content_id: number | null }>(
    'SELECT content_id FROM releases WHERE repository_id = ? AND tag = ? AND commit_id = ?',
    repository,
    tag,
    commit,
  );
  return found?.content_id ?? null;
}

/**
 * Saves the texts of a release. Changed texts are saved in a new row, because the published index still uses the old
 * row.
 */
function saveContent(db: Connection, { source, readme, manifest }: Accepted, before: number | null): number | null {
  const same = db.get<{ id: number }>(
    'SELECT id FROM contents WHERE id = ? AND source = ? AND readme = ? AND manifest = ?',
    before,
    source,
    readme,
    manifest,
  );
  if (same) return same.id;
  const added = db.get<{ id: number }>(
    'INSERT INTO contents (source, readme, manifest) VALUES (?, ?, ?) RETURNING id',
    source,
    readme,
    manifest,
  );
  return added?.id ?? null;
}

/**
 * Deletes the stored texts of a release. Texts that the catalog server still shows are deleted by a later publication.
 */
function forgetContent(db: Connection, id: number): void {
  db.run(
    `DELETE FROM contents WHERE id = ?1
       AND NOT EXISTS (SELECT 1 FROM published_releases WHERE content_id = ?1)`,
    id,
  );
}
