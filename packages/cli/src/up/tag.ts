/** What a build is called when nobody says: by the commit that it is of, or by the image itself. */
import { NoSuchProgram, runByLines } from './program.ts';

export interface Commit {
  short: string;
  full: string;
  /** Files of the context differ from it. */
  isDirty: boolean;
}

/** The commit that a folder is at; null where there is none: no git, no repository, nothing committed. */
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
 * The same files built again get the same tag, so that nothing is deployed twice: a commit names what it holds, and for
 * all else the image's own id does.
 * @param imageId `sha256:…`
 */
export function tagFor(commit: Commit | null, imageId: string): string {
  const id = imageId.replace(/^sha256:/, '').slice(0, ID_LENGTH);
  if (commit === null) return `build-${id}`;
  return commit.isDirty ? `${commit.short}-dirty-${id}` : commit.short;
}
