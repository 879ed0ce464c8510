/**
 * Contents of the files of apps. The contents are encrypted and stored separately from the settings that name the
 * files.
 */
import type { AppSpec } from '@davit/api';
import type { GroupFile } from '../adapters/engine/group.ts';
import type { Reader } from '../db/store.ts';
import { appFile } from '../db/tables/app-file.ts';
import type { AppSpecDeps } from './deps.ts';
import { unsealed } from './unsealed.ts';

type FileOfApp = AppSpec['files'][number];

/** Returns the place of a file content for the encryption, see `Sealer`. */
export function appFilePlace(appId: number, version: string): string {
  return `app_files/${appId}/${version}`;
}

/**
 * Decrypts the content of a file.
 * @throws DavitError conflict if the content was changed or moved on disk
 */
export function openAppFile(
  { store, sealer }: Pick<AppSpecDeps, 'sealer'> & { store: Reader },
  appId: number,
  { path, version = '' }: FileOfApp,
): string {
  return unsealed(
    () => sealer.open(appFile(store, appId, version)?.content ?? '', appFilePlace(appId, version)),
    `The file ${path} cannot be decrypted, because it was changed outside Davit. Set its content again, or remove the file from the app.`,
  );
}

/**
 * Returns the files of a release as its containers get them.
 * @throws DavitError conflict if a content was changed or moved on disk
 */
export function releaseFiles(base: Pick<AppSpecDeps, 'store' | 'sealer'>, appId: number, spec: AppSpec): GroupFile[] {
  return spec.files.map((file) => ({
    path: file.path,
    bytes: Buffer.from(openAppFile(base, appId, file)),
    mode: Number.parseInt(file.mode, 8),
  }));
}
