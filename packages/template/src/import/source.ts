import type { DraftApp } from '../draft.ts';
import type { Service } from './services.ts';
import { at, textOf } from './values.ts';
import type { Variables } from './variables.ts';

type Source = Pick<DraftApp, 'image' | 'tag' | 'repo' | 'ref' | 'build' | 'dockerfile'>;

/** Example URL for a template whose Git repository is unknown. The user must replace the URL. */
const UNKNOWN_REPOSITORY = 'https://git.example.com/your/repository';

export interface BuildOptions {
  /** Git repository for services that are built from the Compose file's folder, or `null`. */
  repo: string | null;
  /** Whether apps must have an image, because the template is for an instance that builds no images. */
  imagesOnly: boolean;
}

export function sourceOf(
  { values, image, tell: report }: Service,
  { repo, imagesOnly }: BuildOptions,
  variables: Variables,
): Source {
  const build = at(values, 'build');
  const named = (value: unknown) => variables.plain(textOf(value) ?? '');
  const context = named(textOf(build) ?? at(build, 'context')) || '.';
  const git = build === undefined || (imagesOnly && image !== null) ? null : gitContext(context);
  if (git !== null) {
    if (imagesOnly) report.leftOut('build', NO_BUILD);
    else report.carried('build', `The app is built from ${git.repo}.`);
    return { ...git, ...dockerfileOf(named(at(build, 'dockerfile'))) };
  }
  if (image !== null) {
    if (build === undefined)
      report.carried('image', `Converted to \`image\`${image.tag === null ? '' : ' and `tag`'}.`);
    else report.changed('build', `The app is not built. It uses the pushed image ${image.image}.`);
    return { image: image.image, ...(image.tag !== null && { tag: image.tag }) };
  }
  return fromFolder(context, named(at(build, 'dockerfile')), { repo, imagesOnly }, report);
}

const NO_BUILD = 'An instance builds no images. Build and push the image, and set its name in `image`.';

/**
 * Converts the build of an app from a local folder to a build from a Git repository. Davit can build only from Git
 * repositories.
 */
function fromFolder(
  context: string,
  dockerfile: string,
  { repo, imagesOnly }: BuildOptions,
  report: Service['tell'],
): Source {
  const folder = context.replaceAll(/^(?:\.\/)+|\/+$/g, '');
  const isRoot = folder === '' || folder === '.';
  const isBelow = !isRoot && /^[\w][\w./-]*$/.test(folder) && !folder.split('/').includes('..');
  if (imagesOnly) report.leftOut('build', NO_BUILD);
  else if (repo === null)
    report.changed(
      'build',
      `The app is built from this folder. Replace ${UNKNOWN_REPOSITORY} with its Git repository.`,
    );
  else
    report.changed(
      'build',
      `The app is built from ${isBelow ? `the folder ${folder} in ` : ''}${repo}. Check the branch in \`ref\`.`,
    );
  return { repo: repo ?? UNKNOWN_REPOSITORY, ...(isBelow && { ref: `main:${folder}` }), ...dockerfileOf(dockerfile) };
}

function dockerfileOf(name: string): Source {
  return { build: 'dockerfile', ...(name !== '' && name !== 'Dockerfile' && { dockerfile: name }) };
}

/**
 * Parses a Compose build context, such as `https://github.com/a/b.git#ref:folder`. Returns `null` if the context is a
 * local folder.
 */
function gitContext(context: string): { repo: string; ref?: string } | null {
  const [address = '', ref = ''] = context.split('#');
  const isGit = /^(?:https?|git):\/\//.test(address) && /\.git$|github\.com|gitlab\.com|codeberg\.org/.test(address);
  const url = isGit && URL.canParse(address) ? new URL(address) : null;
  // A URL with credentials is rejected, because a template is public.
  if (url === null || url.username !== '' || url.password !== '') return null;
  return { repo: address, ...(ref !== '' && { ref }) };
}
