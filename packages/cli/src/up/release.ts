/**
 * Determines the source of a release's image. Either davit.yaml names an image, or the CLI builds and pushes an image.
 */

import { resolve } from 'node:path';
import type { Loaded } from '../davit-yaml/load.ts';
import type { Build } from '../davit-yaml/schema.ts';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { NO_BUILD, whyNoDocker } from './build.ts';
import { type BuildPaths, buildPathsOf } from './build-paths.ts';

export type ImageSource = { kind: 'image' } | { kind: 'build'; build: Build; paths: BuildPaths };

/**
 * Returns whether the release uses an existing image or an image that the CLI builds.
 * @throws CliError with exit `usage` if the CLI cannot build the image
 */
export async function imageSource(
  { file, folder, name }: Loaded,
  options: { allowOutsidePaths: boolean },
): Promise<ImageSource> {
  if (file.image !== undefined) return { kind: 'image' };
  const build = file.build ?? NO_BUILD;
  const paths = await buildPathsOf({ folder, build, ...options });
  if (paths !== null) return { kind: 'build', build, paths };
  throw new CliError(
    'usage',
    `${resolve(folder, build.context, build.dockerfile)} not found. Write a Dockerfile, or set "image" in ${name} to an existing image. Nothing was changed.`,
  );
}

const THREE_WAYS = `To deploy without a local Docker, choose one of three ways:
  1. Set an existing image in davit.yaml:  image: ghcr.io/acme/web:1.2
  2. Install Docker on this computer and start Docker.
  3. Let CI build and push the image: docs/how-to/deploy-from-github-actions.md has a workflow for GitHub Actions.`;

/**
 * Checks that Docker can build images on this machine.
 * @throws CliError with exit `failed` if Docker is not available
 */
export async function demandBuilder({ out, signal }: Pick<Context, 'out' | 'signal'>): Promise<void> {
  const why = await whyNoDocker(signal);
  if (why === null) return;
  if (!out.isJson) out.explain(THREE_WAYS);
  throw new CliError('failed', `${why}, but the app is built from a Dockerfile. Nothing was changed.`);
}
