import type { Connection } from './connection.ts';
import { fold, foldName, spaced } from './fold.ts';
import { listedTemplate, TEMPLATE_COLUMNS, type TemplateRow, topicsOf } from './template.ts';
import type { ListPage, ListQuery } from './types.ts';

const KEYS = { recent: 'published', stars: 'stars' } as const;

export function listTemplates(db: Connection, { q, tag, sort, limit, after }: ListQuery): ListPage {
  const key = KEYS[sort];
  const rows = db.all<TemplateRow>(
    `SELECT ${TEMPLATE_COLUMNS} FROM templates t ${after ? `WHERE (${key}, id) < (?, ?)` : ''}
      ORDER BY ${key} DESC, id DESC`,
    ...(after ? [after.key, after.id] : []),
  );
  const found = rows.filter(
    (row) =>
      (tag === null || topicsOf(row).includes(tag)) &&
      (q === null || foldName(row.name).includes(spaced(q)) || fold(row.description).includes(q)),
  );
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    templates: page.map(listedTemplate),
    next: last && found.length > limit ? { key: last[key], id: last.id } : null,
  };
}
