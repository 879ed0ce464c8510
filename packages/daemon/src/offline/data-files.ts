import { readdirSync, realpathSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isOwnEntry, LAST_ENTRIES } from '../config/data-folder.ts';

/** Path that stays on the disk, with a sentence for the operator. */
export interface KeptPath {
  path: string;
  reason: string;
}

/** Returns the paths of all entries of the data directory that Davit created, in the order of their removal. */
export function ownPaths(dataDir: string): string[] {
  const names = readdirSync(dataDir).filter(isOwnEntry).sort();
  const last = LAST_ENTRIES.filter((name) => names.includes(name));
  return [...names.filter((name) => !last.includes(name)), ...last].map((name) => join(dataDir, name));
}

/**
 * Removes the data directory. The files that identify the instance are removed last, and only if nothing else remains.
 * Until then, the command can be repeated.
 * @param isLast whether all other objects of the instance are removed
 * @returns paths that could not be removed, and files of other programs
 */
export async function removeDataDir(
  dataDir: string,
  isLast: boolean,
  onRemoved: (path: string) => void,
): Promise<KeptPath[]> {
  const paths = ownPaths(dataDir);
  const marks = LAST_ENTRIES.map((name) => join(dataDir, name));
  const kept = await removePaths(
    paths.filter((path) => !marks.includes(path)),
    onRemoved,
  );
  if (kept.length > 0 || !isLast)
    return [...kept, { path: dataDir, reason: 'Davit needs its file instance-id to remove the other objects.' }];
  kept.push(
    ...(await removePaths(
      paths.filter((path) => marks.includes(path)),
      onRemoved,
    )),
  );
  return kept.length > 0 ? kept : removeFolder(dataDir);
}

async function removePaths(paths: readonly string[], onRemoved: (path: string) => void): Promise<KeptPath[]> {
  const kept: KeptPath[] = [];
  for (const path of paths) {
    try {
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
      onRemoved(path);
    } catch (error) {
      const { code = 'unknown error' } = error as NodeJS.ErrnoException;
      kept.push({ path, reason: `It could not be removed (${code}). Remove it as root.` });
    }
  }
  return kept;
}

async function removeFolder(dataDir: string): Promise<KeptPath[]> {
  try {
    await rmdir(realpathSync(dataDir));
    return [];
  } catch (error) {
    if (isMissing(error)) return [];
    const others = readdirSync(dataDir);
    const reason =
      others.length === 0
        ? 'The folder is empty, but it could not be removed. It may be a mount point.'
        : `It contains files of other programs: ${others.join(', ')}.`;
    return [{ path: dataDir, reason }];
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
