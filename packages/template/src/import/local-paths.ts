import { readCompose } from './compose-file.ts';
import { envFilesOf, relativePath } from './local-files.ts';
import { isSettings, mountsOf } from './mounts.ts';
import { at, listOf, textOf, type Values } from './values.ts';
import { Variables } from './variables.ts';

export interface LocalPath {
  /** Path relative to the folder of the Compose file. */
  path: string;
  /** Whether the import also uses the files of a folder at this path. */
  mayBeFolder: boolean;
}

/**
 * Returns the paths that a Compose file refers to: files with variables, mounted files and folders, and files of
 * configs. A path never leads out of the folder of the Compose file, and is never this folder itself. Returns an empty
 * list for an invalid file.
 */
export function localPaths(compose: string): LocalPath[] {
  const read = readCompose(compose);
  if (!read.ok) return [];
  const variables = new Variables();
  const paths = new Map<string, boolean>();
  for (const [, values] of read.services) {
    for (const { written, mayBeFolder } of writtenPaths(values, at(read.root, 'configs'), variables)) {
      const path = relativePath(variables.plain(written));
      if (path !== null && path !== '.') paths.set(path, mayBeFolder || paths.get(path) === true);
    }
  }
  return Array.from(paths, ([path, mayBeFolder]) => ({ path, mayBeFolder }));
}

function writtenPaths(values: Values, configs: unknown, variables: Variables) {
  const mounts = mountsOf(values, variables).filter(({ kind }) => kind === 'bind');
  const files = [
    ...envFilesOf(values).map(({ path }) => path),
    ...listOf(values.configs).map((entry) => {
      const source = textOf(entry) ?? textOf(at(entry, 'source')) ?? '';
      return textOf(at(at(configs, source), 'file')) ?? '';
    }),
  ];
  return [
    ...files.map((written) => ({ written, mayBeFolder: false })),
    ...mounts.map((mount) => ({ written: mount.source, mayBeFolder: isSettings(mount) })),
  ];
}
