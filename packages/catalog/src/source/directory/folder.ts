import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@davit/service';
import { SourceUnavailable } from '../source.ts';

/** Matches names of owners and Git repositories that are safe in URLs, in paths and as command arguments. */
const OWNER = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,99}$/;
const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;
const ENDING = '.git';

export interface RepositoryLocation {
  owner: string;
  name: string;
  gitDir: string;
  description: string;
}

/**
 * Returns the location of a Git repository in the source folder. Returns `null` if the owner or the name is invalid.
 */
export function locationOf(folder: string, owner: string, name: string): RepositoryLocation | null {
  if (!OWNER.test(owner) || !NAME.test(name)) return null;
  const base = join(folder, owner, name);
  return { owner, name, gitDir: `${base}${ENDING}`, description: `${base}.json` };
}

/**
 * Lists all Git repositories in a folder, sorted by owner and name. Symbolic links are skipped, because they could lead
 * out of the folder.
 * @throws SourceUnavailable
 */
export async function* locationsOf(folder: string, log: Logger): AsyncGenerator<RepositoryLocation> {
  for (const owner of await foldersOf(folder, log)) {
    // A folder whose name starts with a dot contains Git repositories that are still being created.
    if (owner.startsWith('.')) continue;
    let repositories: string[];
    try {
      repositories = await foldersOf(join(folder, owner), log);
    } catch (error) {
      if (!(error instanceof SourceUnavailable)) throw error;
      log.warn(
        { owner, error },
        'repositories of an owner could not be read; their entries in the catalog are unchanged',
      );
      continue;
    }
    for (const entry of repositories.filter((name) => name.endsWith(ENDING))) {
      const location = locationOf(folder, owner, entry.slice(0, -ENDING.length));
      if (location !== null) yield location;
      else log.warn({ owner, folder: entry }, 'folder is not listed: the folder name is not a valid repository name');
    }
  }
}

async function foldersOf(path: string, log: Logger): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(path, { withFileTypes: true });
  } catch (error) {
    throw new SourceUnavailable(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  for (const link of entries.filter((entry) => entry.isSymbolicLink())) {
    log.warn({ link: join(path, link.name) }, 'symbolic link is ignored: replace the link with the folder');
  }
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
