/** The files of an app as they are typed. What one holds is never read again: it is kept by its version, or typed anew. */
import type { App } from '@davit/api';
import type { Field } from './kinds.ts';

export interface FileRow {
  path: string;
  mode: string;
  /** Of what it holds now; null: it is new. */
  version: string | null;
  /** Null: what it holds stays. */
  content: string | null;
}

export const NEW_FILE: FileRow = { path: '', mode: '0644', version: null, content: '' };

/** What the instance takes at most. */
export const MOST_KIB = 64;

export const FILES: Field<readonly FileRow[]> = {
  label: 'Files',
  of: ({ files }: App) => files.map((file) => ({ ...file, content: null })),
  sent: (rows) =>
    rows.map(({ path, mode, version, content }) => ({
      path: path.trim(),
      mode: mode.trim(),
      ...(content === null ? { version } : { content }),
    })),
  say: (rows) => rows.map(({ path, content, version }) => `${path}${changeOf(version, content)}`).join(', ') || 'none',
  check: (rows) => firstWrong(rows),
  wordsOf,
};

function changeOf(version: string | null, content: string | null): string {
  if (content === null) return '';
  return version === null ? ' (new)' : ' (holds something else)';
}

function firstWrong(rows: readonly FileRow[]): string | null {
  const paths = rows.map(({ path }) => path.trim());
  const wrong = rows.findIndex(({ path, mode }) => !path.trim().startsWith('/') || !/^0?[0-7]{3}$/.test(mode.trim()));
  if (wrong >= 0) {
    const where = `file ${wrong + 1}`;
    return paths[wrong]?.startsWith('/')
      ? `${where}: the mode must be three octal digits, such as «0644»`
      : `${where}: the path must be absolute, such as «/etc/app/config.yaml»`;
  }
  const twice = paths.find((path, at) => paths.indexOf(path) !== at);
  if (twice !== undefined) return `«${twice}» is there twice`;
  const large = rows.findIndex(({ content }) => bytesOf(content ?? '') > MOST_KIB * 1_024);
  return large < 0 ? null : `file ${large + 1} is larger than ${MOST_KIB} KiB, which is the most that is taken`;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** A refusal of a file, `.0.path`, as people count. */
function wordsOf(part: string, message: string): string {
  const [, number = '', name] = part.split('.');
  const file = `file ${Number(number) + 1}`;
  return name === undefined ? `${file}: ${message}` : `${file}: the ${name} ${message}`;
}
