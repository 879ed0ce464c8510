import type { Path } from '../diagnostic.ts';
import type { DraftApp } from '../draft.ts';
import { parseImageName } from '../rules/image.ts';
import { excerpt } from '../shape/words.ts';
import type { Scope } from './scope.ts';

/**
 * Checks that an app has either an image or a Git repository to build. If the app has both, reports an error and still
 * checks both.
 */
export function checkSource(scope: Scope, app: DraftApp, path: Path): void {
  const { image, repo, build } = app;
  const isBuilt = repo !== undefined || build !== undefined;
  if (image === undefined && !isBuilt) {
    const message = 'The app has neither an image nor a repository to build.';
    scope.error('source.missing', [...path, 'image'], message, 'Set `image`, or `repo` together with `build`.');
  }
  if (image !== undefined && isBuilt) {
    const message = 'The app has both an image and a build. Use only one of them.';
    scope.error('source.conflict', [...path, 'image'], message, 'Keep `image`, or `repo` and `build`.');
  }
  if (image !== undefined) checkImage(scope, image, path);
  if (isBuilt) checkBuild(scope, app, path);
}

function checkImage({ draft, error }: Scope, image: string, path: Path): void {
  if (!image.includes(':')) return;
  const name = parseImageName(image);
  if (name === null) {
    error('image.tagged', [...path, 'image'], `The image name ${excerpt(image)} contains a colon.`, untagged(image));
  } else if (draft.minVersion === undefined) {
    const message =
      name.digest === undefined
        ? `${excerpt(image)} names a registry with a port, but the file has no \`minVersion\`.`
        : `${excerpt(image)} is pinned by a digest, but the file has no \`minVersion\`.`;
    const hint =
      'Set `minVersion: "0.1.0"`, the first version that allows image names with a digest or a registry port.';
    error('image.tagged', [...path, 'image'], message, hint);
  }
}

/**
 * Returns a hint for an image name that contains a tag. The hint shows the same image with the two keys `image` and
 * `tag`.
 */
function untagged(image: string): string {
  const [, name = '', tag = ''] = /^(.{1,200}):([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})$/.exec(image) ?? [];
  if (tag === '' || parseImageName(name) === null) {
    return 'Move the part after the colon to `tag`. Write a digest as `name@sha256:…` with 64 digits.';
  }
  return `Write \`image: ${name}\` and \`tag: "${tag}"\`.`;
}

function checkBuild({ error }: Scope, { repo, build, tag, dockerfile }: DraftApp, path: Path): void {
  if (repo === undefined) {
    error('source.missing', [...path, 'repo'], 'The repository of the build is missing.', 'Set `repo`.');
  }
  if (build === undefined) {
    const message = 'The build type is missing.';
    error('build.missing', [...path, 'build'], message, 'Set `build` to `dockerfile` or `railpack`.');
  }
  if (repo !== undefined && !/^(?:https?|git):\/\//.test(repo)) {
    const message = 'The address of a repository must start with `https://`, `http://` or `git://`.';
    error('repo.scheme', [...path, 'repo'], message);
  }
  if (repo?.includes('#')) {
    error('repo.ref', [...path, 'repo'], 'The address of the repository contains a `#`.', 'Set `ref` instead.');
  }
  if (tag !== undefined) {
    const message = 'A tag applies only to an image, but this app is built from a repository.';
    error('source.conflict', [...path, 'tag'], message, 'Set `ref` to the branch or tag to build.');
  }
  if (dockerfile !== undefined && build !== 'dockerfile') {
    const message = '`dockerfile` applies only together with `build: dockerfile`.';
    error('dockerfile.misplaced', [...path, 'dockerfile'], message);
  }
}
