/** Derives the default tag of a build from its commit or from the image. */
import { NoSuchProgram, runByLines } from './program.ts';

export interface Commit {
  short: string;
  full: string;
  /** Whether files of the build context differ from the commit. */
  isDirty: boolean;
}

/** Returns the commit of a folder, or `null` without git, without a Git repository, or without a commit. */
export async function commitOf(folder: string, signal: AbortSignal): Promise<Commit | null> {
  const git = (...args: string[]) => runByLines('git', ['-C', folder, ...args], { signal });
  try {
    const head = await git('rev-parse', '--verify', 'HEAD');
    if (head.code !== 0) return null;
    const full = head.output.trim();
    const short = (await git('rev-parse', '--short', 'HEAD')).output.trim();
    const status = await git('status', '--porcelain', '--', '.');
    return { short, full, isDirty: status.code !== 0 || status.output.trim() !== '' };
  } catch (error) {
    if (error instanceof NoSuchProgram) return null;
    throw error;
  }
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
