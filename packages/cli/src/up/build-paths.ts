/** Finds the folder and the Dockerfile of a build. A davit.yaml may only name files of its own repository. */
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { nearestFile } from '../davit-yaml/find.ts';
import type { Build } from '../davit-yaml/schema.ts';
import { CliError } from '../errors/exit.ts';

/** Absolute paths of the folder and the Dockerfile of a build, without symbolic links. */
export interface BuildPaths {
  context: string;
  dockerfile: string;
}

interface BuildPlace {
  /** Folder of the davit.yaml. */
  folder: string;
  build: Build;
  /** Whether the user allows all paths. */
  allowOutsidePaths: boolean;
}

/**
 * Returns the paths of a build, or `null` if there is no Dockerfile. The builder gets the resolved paths, so that it
 * follows no symbolic link again.
 * @throws CliError usage if the context is outside the repository, or the Dockerfile is outside the context
 */
export async function buildPathsOf({ folder, build, allowOutsidePaths }: BuildPlace): Promise<BuildPaths | null> {
  const context = await realPathOf(resolve(folder, build.context));
  if (context === null) return null;
  if (!allowOutsidePaths) demandInside(await repositoryOf(folder), context, `build.context (${build.context})`);
  const dockerfile = await realPathOf(resolve(context, build.dockerfile));
  if (dockerfile === null) return null;
  if (!allowOutsidePaths) demandInside(context, dockerfile, `build.dockerfile (${build.dockerfile})`);
  return { context, dockerfile };
}

/**
 * Returns the folder of the Git repository of a file, or its own folder without a repository. Git itself is not used,
 * because the configuration of a repository can name any other folder.
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
    `${what} is ${path}, which is outside ${folder}. To send it to the builder, add --allow-outside-paths. Nothing was changed.`,
  );
}

/** Returns the path without symbolic links, or `null` if nothing can be read there. */
async function realPathOf(path: string): Promise<string | null> {
  return realpath(path).catch(() => null);
}
