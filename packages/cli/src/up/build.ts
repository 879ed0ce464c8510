/** Builds an image with the local Docker client. */
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Build } from '../davit-yaml/schema.ts';
import { CliError } from '../errors/exit.ts';
import { NoSuchProgram, type ProgramOptions, runByLines } from './program.ts';
import type { Commit } from './tag.ts';

export const NO_BUILD: Build = { context: '.', dockerfile: 'Dockerfile', args: {} };

/** The folder and the Dockerfile of a build, as absolute paths. */
export interface BuildPaths {
  context: string;
  dockerfile: string;
}

/** @param folder of the davit.yaml */
export function buildPathsOf(folder: string, build: Build): BuildPaths {
  const context = resolve(folder, build.context);
  return { context, dockerfile: resolve(context, build.dockerfile) };
}

export async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Whether images can be built here: null, or why not, in a sentence.
 * @throws whatever else goes wrong with the program
 */
export async function whyNoDocker(signal: AbortSignal): Promise<string | null> {
  try {
    const { code, tail } = await runByLines('docker', ['version', '--format', '{{.Server.Version}}'], { signal });
    if (code === 0) return null;
    return `Docker is installed here, but its engine does not answer (${tail.at(-1) ?? 'it did not say why'})`;
  } catch (error) {
    if (error instanceof NoSuchProgram) return 'There is no Docker on this machine';
    throw error;
  }
}

/** The arguments of `docker`. @param idFile where the image's id is written to */
export function buildArguments(build: Build, paths: BuildPaths, commit: Commit | null, idFile: string): string[] {
  const revision = commit === null ? [] : [`org.opencontainers.image.revision=${commit.full}`];
  return [
    'build',
    ...['--file', paths.dockerfile, '--iidfile', idFile],
    ...Object.entries(build.args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
    ...revision.flatMap((label) => ['--label', label]),
    ...(build.target === undefined ? [] : ['--target', build.target]),
    ...(build.platform === undefined ? [] : ['--platform', build.platform]),
    paths.context,
  ];
}

/** @returns the image's id, `sha256:…` @throws CliError failed, with the builder's own last words */
export async function buildImage(
  build: Build,
  paths: BuildPaths,
  commit: Commit | null,
  options: ProgramOptions,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'davit-build-'));
  try {
    const idFile = join(folder, 'id');
    const { code, tail } = await runByLines('docker', buildArguments(build, paths, commit, idFile), options);
    if (code !== 0) throw new CliError('failed', `The image could not be built: ${tail.at(-1) ?? `exit code ${code}`}`);
    return (await readFile(idFile, 'utf8')).trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
