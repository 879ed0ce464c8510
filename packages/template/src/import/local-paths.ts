import { readCompose } from './compose-file.ts';
import { configPath, envFilesOf, relativePath } from './local-files.ts';
import { isSettings, mountsOf } from './mounts.ts';
import { at, listOf, textOf, type Values } from './values.ts';
import { Variables } from './variables.ts';

export interface LocalPath {
  /** Path relative to the folder of the Compose file. */
  path: string;
  /** Whether the path can be a folder whose files the import also uses. */
  mayBeFolder: boolean;
}

/**
 * Returns the paths to which a Compose file refers: files with variables, mounted files and folders, and files of
 * configs. All paths are inside the folder of the Compose file. Returns an empty list for an invalid file.
 */
export function localPaths(compose: string): LocalPath[] {
  const read = readCompose(compose);
  if (!read.ok) return [];
  const variables = new Variables();
  const paths = new Map<string, boolean>();
  for (const [, values] of read.services) {
    for (const { named, mayBeFolder } of namedPaths(values, at(read.root, 'configs'), variables)) {
      const path = relativePath(named);
      if (path !== null && path !== '.') paths.set(path, mayBeFolder || paths.get(path) === true);
    }
  }
  return Array.from(paths, ([path, mayBeFolder]) => ({ path, mayBeFolder }));
}

/** Returns the paths of local files in a Compose service, without Compose variables. */
function namedPaths(values: Values, configs: unknown, variables: Variables) {
  const mounts = mountsOf(values, variables).filter(({ kind }) => kind === 'bind');
  const files = [
    ...envFilesOf(values, variables).map(({ path }) => path),
    ...listOf(values.configs).map((entry) => {
      const source = textOf(entry) ?? textOf(at(entry, 'source')) ?? '';
      return configPath(at(configs, source), variables);
    }),
  ];
  return [
    ...files.map((named) => ({ named, mayBeFolder: false })),
    ...mounts.map((mount) => ({ named: mount.source, mayBeFolder: isSettings(mount) })),
  ];
}
