/** What files of apps hold: kept sealed, apart from the settings that name it. */
import type { AppSpec } from '@davit/api';
import type { GroupFile } from '../adapters/engine/group.ts';
import type { Reader } from '../db/store.ts';
import { appFile } from '../db/tables/app-file.ts';
import type { AppSpecDeps } from './deps.ts';
import { unsealed } from './unsealed.ts';

type FileOfApp = AppSpec['files'][number];

/** Where what a file holds belongs, for its seal. */
export function appFilePlace(appId: number, version: string): string {
  return `app_files/${appId}/${version}`;
}

/** @throws DavitError conflict for one that was changed or moved on disk */
export function openAppFile(
  { store, sealer }: Pick<AppSpecDeps, 'sealer'> & { store: Reader },
  appId: number,
  { path, version = '' }: FileOfApp,
): string {
  return unsealed(
    () => sealer.open(appFile(store, appId, version)?.content ?? '', appFilePlace(appId, version)),
    `The file ${path} cannot be opened, it was changed outside Davit: set its content anew, or leave it out.`,
  );
}

/** The files of a release as its containers get them. @throws DavitError conflict */
export function releaseFiles(base: Pick<AppSpecDeps, 'store' | 'sealer'>, appId: number, spec: AppSpec): GroupFile[] {
  return spec.files.map((file) => ({
    path: file.path,
    bytes: Buffer.from(openAppFile(base, appId, file)),
    mode: Number.parseInt(file.mode, 8),
  }));
}
