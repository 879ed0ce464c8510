import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Build } from '../davit-yaml/schema.ts';
import { CliError } from '../errors/exit.ts';
import { withVariables } from '../process/env.ts';
import type { BuildPaths } from './build-paths.ts';
import { NoSuchProgram, type ProgramOptions, runByLines } from './program.ts';
import type { Commit } from './tag.ts';

export const NO_BUILD: Build = { context: '.', dockerfile: 'Dockerfile', args: {} };

/** Returns the reason why the CLI cannot build images on this machine. Returns `null` if Docker is available. */
export async function whyNoDocker(signal: AbortSignal): Promise<string | null> {
  try {
    const { code, tail } = await runByLines('docker', ['version', '--format', '{{.Server.Version}}'], { signal });
    if (code === 0) return null;
    return `Docker is installed, but its engine does not answer (${tail.at(-1) ?? 'no error message'})`;
  } catch (error) {
    if (error instanceof NoSuchProgram) return 'Docker is not installed';
    throw error;
  }
}

/**
 * Variables that prevent Docker Buildx from running `git`. In the build context, `git` would use the configuration of
 * an untrusted repository.
 */
const NO_GIT = { BUILDX_GIT_INFO: 'false', BUILDX_GIT_LABELS: 'false' };

/**
 * Returns the arguments for `docker build`.
 * @param idFile file to which Docker writes the image ID
 */
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

/**
 * Builds an image.
 * @returns the image ID, such as `sha256:…`
 * @throws CliError with exit `failed` if the build fails. The error contains the last line of Docker's output
 */
export async function buildImage(
  build: Build,
  paths: BuildPaths,
  commit: Commit | null,
  options: ProgramOptions,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'davit-build-'));
  try {
    const idFile = join(folder, 'id');
    const args = buildArguments(build, paths, commit, idFile);
    const { code, tail } = await runByLines('docker', args, { ...options, env: withVariables(NO_GIT) });
    if (code !== 0) throw new CliError('failed', `The image could not be built: ${tail.at(-1) ?? `exit code ${code}`}`);
    return (await readFile(idFile, 'utf8')).trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
