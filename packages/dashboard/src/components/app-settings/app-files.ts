/**
 * Form rows for the configuration files of an app. The API never returns the content of a configuration file. A row for
 * an unchanged file therefore contains only a version.
 */
import type { App } from '@davit/api';
import type { Field } from './kinds.ts';

export interface FileRow {
  path: string;
  mode: string;
  /** Version of the stored file content, or `null` for a new file. */
  version: string | null;
  /** New file content, or `null` to keep the stored content. */
  content: string | null;
}

export const NEW_FILE: FileRow = { path: '', mode: '0644', version: null, content: '' };

/** Maximum size in KiB that the server accepts for a configuration file of an app. */
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
  return version === null ? ' (new)' : ' (changed)';
}

function firstWrong(rows: readonly FileRow[]): string | null {
  const paths = rows.map(({ path }) => path.trim());
  const wrong = rows.findIndex(({ path, mode }) => !path.trim().startsWith('/') || !/^0?[0-7]{3}$/.test(mode.trim()));
  if (wrong >= 0) {
    const where = `File ${wrong + 1}`;
    return paths[wrong]?.startsWith('/')
      ? `${where}: the mode must have three octal digits and can start with a 0, such as “0644”.`
      : `${where}: the path must be absolute, such as “/etc/app/config.yaml”.`;
  }
  const twice = paths.find((path, at) => paths.indexOf(path) !== at);
  if (twice !== undefined) return `The path “${twice}” is used twice.`;
  const large = rows.findIndex(({ content }) => bytesOf(content ?? '') > MOST_KIB * 1_024);
  return large < 0 ? null : `File ${large + 1} is too large. The maximum is ${MOST_KIB} KiB.`;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/**
 * Formats the server's error message about a configuration file of an app. Replaces the path in the error, such as
 * `.0.path`, with a label such as `File 1`.
 */
function wordsOf(part: string, message: string): string {
  const [, number = '', name] = part.split('.');
  const file = `File ${Number(number) + 1}`;
  return name === undefined ? `${file}: ${message}` : `${file}: the ${name} ${message}`;
}
