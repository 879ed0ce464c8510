/**
 * Finds the build context and the Dockerfile of an image build. By default, both must be in the Git repository of the
 * davit.yaml.
 */
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { nearestFile } from '../davit-yaml/find.ts';
import type { Build } from '../davit-yaml/schema.ts';
import { CliError } from '../errors/exit.ts';

/** Absolute paths of the build context and the Dockerfile, without symbolic links. */
export interface BuildPaths {
  context: string;
  dockerfile: string;
}

interface BuildLocation {
  /** Folder that contains the davit.yaml. */
  folder: string;
  build: Build;
  /** Whether the build may use files outside the Git repository (`--allow-outside-paths`). */
  allowOutsidePaths: boolean;
}

/**
 * Returns the build context and the Dockerfile. Returns `null` if there is no Dockerfile.
 * @throws CliError with exit `usage` if a path is outside the Git repository or the build context
 */
export async function buildPathsOf({ folder, build, allowOutsidePaths }: BuildLocation): Promise<BuildPaths | null> {
  // Symbolic links are resolved. Otherwise, Docker could follow a link to a file outside the build context.
  const context = await realPathOf(resolve(folder, build.context));
  if (context === null) return null;
  if (!allowOutsidePaths) demandInside(await repositoryOf(folder), context, `build.context (${build.context})`);
  const dockerfile = await realPathOf(resolve(context, build.dockerfile));
  if (dockerfile === null) return null;
  if (!allowOutsidePaths) demandInside(context, dockerfile, `build.dockerfile (${build.dockerfile})`);
  return { context, dockerfile };
}

/**
 * Returns the root folder of the Git repository that contains a folder. The `git` command is not used, because the
 * configuration of the repository could specify any folder as the root.
 */
async function repositoryOf(folder: string): Promise<string> {
  const own = await realpath(folder);
  const git = await nearestFile(own, '.git');
  return git === null ? own : dirname(git);
}

function demandInside(folder: string, path: string, what: string): void {
  const way = relative(folder, path);
  if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return;
  throw new CliError(
    'usage',
    `${what} is ${path}, which is outside ${folder}. To use it in the build, add --allow-outside-paths. Nothing was changed.`,
  );
}

/** Resolves the symbolic links in a path. Returns `null` if the path cannot be read. */
async function realPathOf(path: string): Promise<string | null> {
  return realpath(path).catch(() => null);
}
