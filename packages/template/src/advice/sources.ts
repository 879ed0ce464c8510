import type { Path } from '../diagnostic.ts';
import type { DraftApp } from '../draft.ts';
import type { Scope } from '../meaning/scope.ts';
import { parseImageName, registryOf } from '../rules/image.ts';
import { excerpt } from '../shape/words.ts';

/** Adds advice about the images and Git repositories of apps. Also warns about app settings that have no effect. */
export function adviseSources(scope: Scope): void {
  for (const [index, app] of scope.draft.apps.entries()) {
    const path = ['apps', index];
    adviseImage(scope, app, path);
    adviseRepository(scope, app, path);
    adviseIgnored(scope, app, path);
  }
}

function adviseImage({ warning, info }: Scope, { image, tag }: DraftApp, path: Path): void {
  if (image === undefined) return;
  if (tag === 'latest') {
    const message = 'The tag `latest` can refer to a different image at any time.';
    warning('advice.latest-tag', [...path, 'tag'], message, 'Set `tag` to a version.');
  }
  const name = parseImageName(image);
  // An invalid image name is ignored here, because another check reports it as an error.
  if (name === null) return;
  if (name.digest !== undefined && tag !== undefined) {
    info('advice.digest-and-tag', [...path, 'tag'], 'The digest selects the image, and the tag is only informative.');
  }
  if (image.includes('/') && registryOf(image) === null) {
    const message = `${excerpt(image)} comes from Docker Hub, which limits the number of pulls.`;
    info('advice.dockerhub-user', [...path, 'image'], message);
  }
}

function adviseRepository({ warning }: Scope, { image, repo, ref }: DraftApp, path: Path): void {
  if (repo === undefined || image !== undefined) return;
  // The warning must not contain the credentials from the URL of the Git repository.
  if (/^[a-z]+:\/\/[^/]*@/i.test(repo)) {
    const message = 'The address of the repository contains credentials, which all users can read.';
    warning(
      'advice.credentials',
      [...path, 'repo'],
      message,
      'Revoke the credentials, and make the repository public.',
    );
  }
  if (ref === undefined) {
    const message = 'Without `ref`, each installation builds the newest commit of the repository.';
    warning('advice.no-ref', [...path, 'repo'], message, 'Set `ref` to a tag.');
  }
}

function adviseIgnored({ warning }: Scope, { image, ref, dockerfile, attach = [] }: DraftApp, path: Path): void {
  if (image !== undefined) {
    for (const [key, value] of Object.entries({ ref, dockerfile })) {
      if (value === undefined) continue;
      warning(
        'advice.ignored',
        [...path, key],
        `\`${key}\` applies only to builds, but this app uses an image.`,
        `Remove \`${key}\`.`,
      );
    }
  }
  for (const [index, { database, store, bucket }] of attach.entries()) {
    if (database === undefined || store !== undefined || bucket === undefined) continue;
    const message = '`bucket` applies only to object stores, but this attachment names a database.';
    warning('advice.ignored', [...path, 'attach', index, 'bucket'], message, 'Remove `bucket`.');
  }
}
