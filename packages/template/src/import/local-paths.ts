import { readCompose } from './compose-file.ts';
import { envFilesOf, relativePath } from './local-files.ts';
import { mountsOf } from './mounts.ts';
import { at, listOf, textOf } from './values.ts';
import { Variables } from './variables.ts';

/**
 * Returns the paths that a Compose file refers to, relative to its folder: files with variables, mounted files and
 * folders, and files of configs. A path never leads out of the folder. Returns an empty list for an invalid file.
 */
export function localPaths(compose: string): string[] {
  const read = readCompose(compose);
  if (!read.ok) return [];
  const variables = new Variables();
  const configs = at(read.root, 'configs');
  const paths = read.services.flatMap(([, values]) => [
    ...envFilesOf(values).map(({ path }) => path),
    ...mountsOf(values, variables).flatMap(({ kind, source }) => (kind === 'bind' ? [source] : [])),
    ...listOf(values.configs).map((entry) => configPath(configs, entry)),
  ]);
  return [...new Set(paths.flatMap((path) => relativePath(variables.plain(path)) ?? []))];
}

function configPath(configs: unknown, entry: unknown): string {
  const source = textOf(entry) ?? textOf(at(entry, 'source')) ?? '';
  return textOf(at(at(configs, source), 'file')) ?? '';
}
