/** Derives the default tag of a build from its commit or from the image. */
import { type GitOptions, gitIn, isAsCommitted } from './git.ts';
import { type Ended, NoSuchProgram } from './program.ts';

export interface Commit {
  short: string;
  full: string;
  /** Whether files of the build context differ from the commit, or may differ because they cannot be compared. */
  isDirty: boolean;
}

/** Returns the commit of a folder, or `null` without git, without a Git repository, or without a commit. */
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

/** Returns the answer of git, which may print warnings before it. */
function lastLine({ tail }: Pick<Ended, 'tail'>): string {
  return tail.at(-1) ?? '';
}

const ID_LENGTH = 8;

/**
 * Returns the tag of a build. Building the same files again gives the same tag, so that nothing is deployed twice. A
 * commit identifies its files, and in all other cases the id of the image identifies them.
 * @param imageId id of the image, `sha256:…`
 */
export function tagFor(commit: Commit | null, imageId: string): string {
  const id = imageId.replace(/^sha256:/, '').slice(0, ID_LENGTH);
  if (commit === null) return `build-${id}`;
  return commit.isDirty ? `${commit.short}-dirty-${id}` : commit.short;
}
