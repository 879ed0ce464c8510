import type { Connection } from './connection.ts';
import type { ListedTemplate, TemplateDetail } from './types.ts';

export interface TemplateRow {
  id: number;
  owner: string;
  owner_id: number | null;
  name: string;
  description: string;
  url: string;
  avatar_url: string;
  stars: number;
  topics: string;
  manifest_name: string | null;
  release_id: number;
  tag: string;
  commit_id: string;
  release_name: string;
  release_url: string;
  published_at: string;
  published: number;
}

const COLUMNS = [
  'id',
  'owner',
  'owner_id',
  'name',
  'description',
  'url',
  'avatar_url',
  'stars',
  'topics',
  'manifest_name',
  'release_id',
  'tag',
  'commit_id',
  'release_name',
  'release_url',
  'published_at',
  'published',
] as const satisfies (keyof TemplateRow)[];

export const TEMPLATE_COLUMNS = COLUMNS.map((column) => `t.${column}`).join(', ');

/**
 * Returns a template from the table of the published templates. Returns `null` if the table does not contain the
 * template.
 */
export function shownTemplate(db: Connection, id: number): TemplateRow | null {
  return db.get<TemplateRow>(`SELECT ${TEMPLATE_COLUMNS} FROM templates t WHERE id = ?`, id) ?? null;
}

/**
 * Returns the row of a template with its newest accepted release from the indexer's tables. Returns `null` if the Git
 * repository is hidden or has no accepted release.
 */
export function notedTemplate(db: Connection, id: number): TemplateRow | null {
  const found = db.get<TemplateRow>(
    `SELECT r.id, r.owner, r.owner_id, r.name, r.description, r.url, r.avatar_url, r.stars, r.topics, l.manifest_name,
        l.id AS release_id, l.tag, l.commit_id, l.name AS release_name, l.url AS release_url, l.published_at, l.published
       FROM repositories r JOIN releases l ON l.repository_id = r.id
      WHERE r.id = ? AND r.hidden IS NULL AND l.status = 'accepted'
      ORDER BY l.published DESC, l.id DESC LIMIT 1`,
    id,
  );
  return found ?? null;
}

export function isSameTemplate(a: TemplateRow | null, b: TemplateRow | null): boolean {
  return a === null || b === null ? a === b : COLUMNS.every((column) => a[column] === b[column]);
}

export function writeTemplate(db: Connection, row: TemplateRow): void {
  db.run(
    `INSERT OR REPLACE INTO templates (${COLUMNS}) VALUES (${COLUMNS.map(() => '?')})`,
    ...COLUMNS.map((column) => row[column]),
  );
}

export function removeTemplate(db: Connection, id: number): void {
  db.run('DELETE FROM templates WHERE id = ?', id);
}

/**
 * Returns a listed template with its README, template file, manifest and problems. Returns `null` if the template is
 * not listed.
 */
export function templateDetail(db: Connection, id: number): TemplateDetail | null {
  const found = db.get<TemplateRow & Pick<TemplateDetail, 'readme' | 'source' | 'manifest'> & { problems: string }>(
    `SELECT ${TEMPLATE_COLUMNS}, r.problems, c.readme, c.source, c.manifest FROM templates t
       JOIN published_releases r ON r.id = t.release_id JOIN contents c ON c.id = r.content_id WHERE t.id = ?`,
    id,
  );
  if (!found) return null;
  const { readme, source, manifest, problems } = found;
  return {
    ...listedTemplate(found),
    readme,
    source,
    manifest,
    problems: JSON.parse(problems) as TemplateDetail['problems'],
  };
}

/**
 * Returns the manifest of a template's listed release as JSON text. Returns `null` if the catalog does not list the
 * template.
 */
export function manifestOfListed(db: Connection, id: number): string | null {
  const found = db.get<{ manifest: string }>(
    `SELECT c.manifest FROM templates t JOIN published_releases r ON r.id = t.release_id
       JOIN contents c ON c.id = r.content_id WHERE t.id = ?`,
    id,
  );
  return found?.manifest ?? null;
}

export function listedTemplate(row: TemplateRow): ListedTemplate {
  return {
    id: row.id,
    owner: row.owner,
    ownerId: row.owner_id,
    name: row.name,
    description: row.description,
    url: row.url,
    avatarUrl: row.avatar_url,
    stars: row.stars,
    topics: JSON.parse(row.topics) as string[],
    manifestName: row.manifest_name,
    release: {
      tag: row.tag,
      name: row.release_name,
      url: row.release_url,
      commit: row.commit_id,
      publishedAt: row.published_at,
    },
  };
}
