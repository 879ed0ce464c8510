import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Durations } from './durations.ts';

/** Limits for one process, so that the work is distributed and a failure can be attributed to few files. */
const MOST_FILES = 120;
const MOST_MS = 30_000;

/** Pattern for a comment in the first lines of a file that must not share its process. The reason follows. */
const BY_ITSELF = /^(\/\/|\/?\*+| \*) By itself: \S/m;

/** Divides files among processes. Starting a process and loading the tested modules takes longer than most files. */
export function together(files: readonly string[], root: string, durations: Durations): string[][] {
  const byFolder = Map.groupBy(durations.longestFirst(files), folderOf);
  return [...byFolder.values()].flatMap((some) => {
    const alone = some.filter((file) => isByItself(join(root, file)));
    const groups: { files: string[]; ms: number }[] = [];
    for (const file of some.filter((one) => !alone.includes(one))) {
      const ms = durations.expected(file);
      const room = groups.find((group) => group.files.length < MOST_FILES && group.ms + ms <= MOST_MS);
      if (room === undefined) groups.push({ files: [file], ms });
      else {
        room.files.push(file);
        room.ms += ms;
      }
    }
    return [...alone.map((file) => [file]), ...groups.map((group) => group.files)];
  });
}

/**
 * Returns the part of the path that is common to files with the same modules: `packages/daemon/src`,
 * `packages/daemon/test`.
 */
function folderOf(file: string): string {
  return file.split('/').slice(0, 3).join('/');
}

function isByItself(path: string): boolean {
  return BY_ITSELF.test(readFileSync(path, 'utf8').slice(0, 1_000));
}
