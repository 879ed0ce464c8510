/**
 * Decrypts configuration files of apps. A SQLite table contains the encrypted contents. The app's settings contain a
 * version id for each file.
 */
import type { AppSpec } from '@davit/api';
import type { GroupFile } from '../adapters/engine/group.ts';
import type { Reader } from '../db/store.ts';
import { appFile, appFiles } from '../db/tables/app-file.ts';
import type { AppSpecDeps } from './deps.ts';
import { unlessBroken, unsealed } from './unsealed.ts';

type FileOfApp = AppSpec['files'][number];

/** Returns the additional authenticated data (AAD) for the AES-GCM encryption of a configuration file's content. */
export function appFileLocation(appId: number, version: string): string {
  return `app_files/${appId}/${version}`;
}

/**
 * Decrypts the content of an app's configuration file.
 * @throws DavitError conflict if the encrypted content was changed or copied from another row
 */
export function openAppFile(
  { store, sealer }: Pick<AppSpecDeps, 'sealer'> & { store: Reader },
  appId: number,
  { path, version = '' }: FileOfApp,
): string {
  return unsealed(
    () => sealer.open(appFile(store, appId, version)?.content ?? '', appFileLocation(appId, version)),
    `The file ${path} cannot be decrypted, because it was changed outside Davit. Set its content again, or remove the file from the app.`,
  );
}

/** Decrypts configuration files of several apps with one query. Omits files that cannot be decrypted. */
export function readableFiles(
  { store, sealer }: Pick<AppSpecDeps, 'sealer'> & { store: Reader },
  wanted: readonly { appId: number; file: FileOfApp }[],
): { appId: number; version: string; content: string }[] {
  const rows = appFiles(
    store,
    wanted.map(({ appId, file: { version = '' } }) => ({ appId, version })),
  );
  return rows.flatMap(({ app_id: appId, version, content: sealed }) => {
    const content = unlessBroken(() => sealer.open(sealed, appFileLocation(appId, version)));
    return content === undefined ? [] : [{ appId, version, content }];
  });
}

/**
 * Returns the decrypted configuration files for the containers of a release.
 * @throws DavitError conflict if a content was changed or copied from another row
 */
export function releaseFiles(base: Pick<AppSpecDeps, 'store' | 'sealer'>, appId: number, spec: AppSpec): GroupFile[] {
  return spec.files.map((file) => ({
    path: file.path,
    bytes: Buffer.from(openAppFile(base, appId, file)),
    mode: Number.parseInt(file.mode, 8),
  }));
}
