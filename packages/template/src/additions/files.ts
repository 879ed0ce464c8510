import type { Path } from '../diagnostic.ts';
import type { DraftApp, DraftFile } from '../draft.ts';
import type { Scope } from '../meaning/scope.ts';
import { cleanMountPath, isWithin } from '../rules/mount-path.ts';
import { byName } from '../rules/sorted.ts';
import { excerpt } from '../shape/words.ts';

const MOST_BYTES = 64 * 1024;

/** Checks that the configuration files (`files`) of each app can be mounted at their paths in the container. */
export function checkFiles(scope: Scope): void {
  for (const [index, app] of scope.draft.apps.entries()) {
    if (app.files !== undefined) checkFilesOf(scope, app, app.files, ['apps', index, 'files']);
  }
}

function checkFilesOf(scope: Scope, app: DraftApp, files: readonly DraftFile[], path: Path): void {
  const volumes = (app.volumes ?? []).flatMap((volume) => cleanMountPath(volume.path) ?? []);
  const clean = files.map((file) => cleanMountPath(file.path));
  const first = new Map<string, number>();
  for (const [index, file] of files.entries()) {
    const at = [...path, index];
    const own = clean[index] ?? null;
    checkContent(scope, file, at);
    if (own === null || file.path.trim().endsWith('/')) {
      const hint = 'Write an absolute path below the root, without `:` and `,` and outside `/proc`, `/sys` and `/dev`.';
      scope.error('file.path', [...at, 'path'], `A file cannot have the path ${excerpt(file.path)}.`, hint);
      continue;
    }
    if (first.has(own)) {
      scope.error('file.duplicate', [...at, 'path'], `Another file of the app has the path ${excerpt(own)}.`);
      continue;
    }
    first.set(own, index);
    const folder = volumes.find((volume) => isWithin(own, volume));
    if (folder !== undefined) {
      const message = `The file ${excerpt(own)} is inside the volume at ${excerpt(folder)}, which contains data of the app.`;
      scope.error(
        'file.in-volume',
        [...at, 'path'],
        message,
        'Use a path outside the volume, and configure the app to read the file from that path.',
      );
    }
  }
  for (const { own, above } of filesBelowFiles([...first.keys()])) {
    const at = [...path, first.get(own) ?? 0, 'path'];
    scope.error(
      'file.path',
      at,
      `The path ${excerpt(own)} is below ${excerpt(above)}, but ${excerpt(above)} is a file and not a folder.`,
    );
  }
}

/** Finds file paths below the path of another file. For example, `/a/b` is invalid if `/a` is a file. */
function filesBelowFiles(paths: readonly string[]): { own: string; above: string }[] {
  let above: string | undefined;
  // The paths are sorted with a trailing slash, so that `/a/b` comes directly after `/a`.
  return [...paths]
    .sort((a, b) => byName(`${a}/`, `${b}/`))
    .flatMap((own) => {
      if (above !== undefined && isWithin(own, above)) return [{ own, above }];
      above = own;
      return [];
    });
}

function checkContent({ error }: Scope, { path, content }: DraftFile, at: Path): void {
  const bytes = new TextEncoder().encode(content).length;
  if (bytes > MOST_BYTES) {
    const message = `The file ${excerpt(path)} has ${bytes} bytes, but the limit is ${MOST_BYTES}.`;
    error('file.size', [...at, 'content'], message, 'Put larger files into an image.');
  }
}
