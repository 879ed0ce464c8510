import type { Path } from '../diagnostic.ts';
import type { DraftApp } from '../draft.ts';
import type { Scope } from '../meaning/scope.ts';
import { parseImageName, registryOf } from '../rules/image.ts';
import { excerpt } from '../shape/words.ts';

/** Gives advice on the sources of apps, and on keys that have no effect. */
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
    const message = '`latest` is another image from one day to the next.';
    warning('advice.latest-tag', [...path, 'tag'], message, 'Set `tag` to a version.');
  }
  const name = parseImageName(image);
  if (name === null) {
    // A colon that does not belong to a digest or a port has already been reported.
    if (image.includes(':')) return;
    const message = `No registry has an image with the name ${excerpt(image)}.`;
    warning('advice.image-name', [...path, 'image'], message, 'Write it as in a pull, in lower case, without its tag.');
    return;
  }
  if (name.digest !== undefined && tag !== undefined) {
    info('advice.digest-and-tag', [...path, 'tag'], 'The digest decides what runs; the tag only tells people.');
  }
  if (image.includes('/') && registryOf(image) === null) {
    const message = `${excerpt(image)} comes from Docker Hub, which limits how often it is pulled.`;
    info('advice.dockerhub-user', [...path, 'image'], message);
  }
}

function adviseRepository({ warning }: Scope, { image, repo, ref }: DraftApp, path: Path): void {
  if (repo === undefined || image !== undefined) return;
  // The message must not repeat the credentials.
  if (/^[a-z]+:\/\/[^/]*@/i.test(repo)) {
    const message = 'There are credentials in the address of the repository, which everybody can read.';
    warning('advice.credentials', [...path, 'repo'], message, 'Revoke them, and publish the repository instead.');
  }
  if (ref === undefined) {
    const message = 'Without `ref` each install builds what is newest in the repository.';
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
        `\`${key}\` is for what is built, and this app is an image.`,
        'Remove it.',
      );
    }
  }
  for (const [index, { database, store, bucket }] of attach.entries()) {
    if (database === undefined || store !== undefined || bucket === undefined) continue;
    const message = '`bucket` is for stores, and a database is attached here.';
    warning('advice.ignored', [...path, 'attach', index, 'bucket'], message, 'Remove it.');
  }
}
