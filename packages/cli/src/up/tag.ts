/** Determines the default image tag of a build from the Git commit or the image ID. */
import { type GitOptions, gitIn, isAsCommitted } from './git.ts';
import { type Ended, NoSuchProgram } from './program.ts';

export interface Commit {
  short: string;
  full: string;
  /** Whether the build context differs from the Git commit. Also `true` if the files cannot be compared safely. */
  isDirty: boolean;
}

/**
 * Returns the current Git commit of a folder. Returns `null` if git is not installed, or if the folder has no Git
 * repository or no commit.
 */
export async function commitOf(folder: string, options: GitOptions): Promise<Commit | null> {
  const git = gitIn(folder, options);
  try {
    const head = await git(['rev-parse', '--verify', 'HEAD']);
    if (head.code !== 0) return null;
    const short = await git(['rev-parse', '--short', 'HEAD']);
    const isDirty = !(await isAsCommitted(folder, options));
    return { full: lastLine(head), short: lastLine(short), isDirty };
  } catch (error) {
    if (error instanceof NoSuchProgram) return null;
    throw error;
  }
}

/** Returns the last line of git's output, because git may print warnings before the result. */
function lastLine({ tail }: Pick<Ended, 'tail'>): string {
  return tail.at(-1) ?? '';
}

const ID_LENGTH = 8;

/**
 * Returns the image tag for a build. The same files get the same tag, so that unchanged files are not deployed again.
 * @param imageId image ID, such as `sha256:…`
 */
export function tagFor(commit: Commit | null, imageId: string): string {
  const id = imageId.replace(/^sha256:/, '').slice(0, ID_LENGTH);
  if (commit === null) return `build-${id}`;
  return commit.isDirty ? `${commit.short}-dirty-${id}` : commit.short;
}
