/**
 * Functions for the configuration files of an app. The app's settings contain only a version id for each file. The
 * contents of the files are encrypted in a separate SQLite table.
 */
import { randomBytes } from 'node:crypto';
import { type AppSpec, DavitError, invalidField, isWithin, MOST_FILES_BYTES } from '@davit/api';
import { appFileLocation, openAppFile } from '../../app-spec/app-files.ts';
import type { Reader, Tx } from '../../db/store.ts';
import { appFile, insertAppFile } from '../../db/tables/app-file.ts';
import { volumesOfApp } from '../../db/tables/volume.ts';
import type { AppsDeps } from './deps.ts';

type FileOfApp = AppSpec['files'][number];

/** Content of a configuration file that must be saved in the database, with a new version id. */
export interface NewContent {
  version: string;
  content: string;
}

/** App settings with a version id for each configuration file, and the contents of the files that must be saved. */
export interface Settled {
  spec: AppSpec;
  contents: NewContent[];
}

/**
 * Assigns an id to the first version of each configuration file of a new app.
 * @throws DavitError invalid_input for a file without content
 */
export function settleFirst(spec: AppSpec): Settled {
  return settle(spec, () => null);
}

/**
 * Assigns version ids to an app's configuration files. An unchanged file keeps its version id, so that Davit does not
 * see a change of the settings.
 * @throws DavitError invalid_input
 */
export function settleNext(core: AppsDeps, tx: Tx, appId: number, spec: AppSpec, current: AppSpec): Settled {
  const settled = settle(spec, (file) => {
    const before = current.files.find(({ path }) => path === file.path);
    if (file.content === undefined) return file.version ?? before?.version ?? null;
    const isSame = before !== undefined && holds(core, tx, appId, before, file.content);
    return isSame ? (before.version ?? null) : null;
  });
  demandContents(tx, appId, settled);
  return settled;
}

/**
 * Returns whether a stored configuration file has the given content. If the stored file cannot be decrypted, returns
 * `false`, so that the given content replaces the file.
 */
function holds(core: AppsDeps, tx: Tx, appId: number, before: FileOfApp, content: string): boolean {
  try {
    return openAppFile({ sealer: core.sealer, store: tx }, appId, before) === content;
  } catch (error) {
    if (error instanceof DavitError) return false;
    throw error;
  }
}

/**
 * Assigns version ids to configuration files. Also returns the file contents that must be saved.
 * @param known returns the version id of a stored file, or `null` if the file must be saved
 */
function settle(spec: AppSpec, known: (file: FileOfApp) => string | null): Settled {
  const contents: NewContent[] = [];
  const files = spec.files.map((file, index) => {
    const { path, mode, content } = file;
    const version = known(file) ?? randomBytes(8).toString('hex');
    if (known(file) === null) {
      if (content === undefined)
        throw invalidField(
          `files.${index}.content`,
          'required',
          'The content is required, because the app does not have this file yet.',
        );
      contents.push({ version, content });
    }
    return { path, mode, version };
  });
  return { spec: { ...spec, files }, contents };
}

/**
 * Checks that the total size of an app's configuration files is allowed. Also checks that the content of each file is
 * in the database or in the request.
 */
function demandContents(db: Reader, appId: number, { spec, contents }: Settled): void {
  const fresh = new Map(contents.map(({ version, content }) => [version, Buffer.byteLength(content)]));
  let bytes = 0;
  for (const [index, { version = '' }] of spec.files.entries()) {
    const size = fresh.get(version) ?? appFile(db, appId, version)?.bytes;
    if (size === undefined)
      throw invalidField(
        `files.${index}.version`,
        'not_found',
        'Davit has not stored this version of the file. Send the text of the file in “content”, and remove “version”.',
      );
    bytes += size;
  }
  if (bytes > MOST_FILES_BYTES)
    throw invalidField('files', 'too_large', `must have at most ${MOST_FILES_BYTES} bytes in total.`);
}

export function keepContents(
  { sealer }: Pick<AppsDeps, 'sealer'>,
  tx: Tx,
  appId: number,
  contents: NewContent[],
): void {
  for (const { version, content } of contents) {
    const sealed = sealer.seal(content, appFileLocation(appId, version));
    insertAppFile(tx, appId, { version, bytes: Buffer.byteLength(content), content: sealed });
  }
}

/**
 * Checks that no configuration file is inside a volume of the app. Such a file would stay in the volume after a user
 * removes it from the app's settings.
 * @throws DavitError conflict
 */
export function refuseInVolume(db: Reader, appId: number, { files }: Pick<AppSpec, 'files'>): void {
  const volumes = volumesOfApp(db, appId);
  for (const { path } of files) {
    const volume = volumes.find((row) => isWithin(row.path, path));
    if (volume === undefined) continue;
    throw new DavitError(
      'conflict',
      `The file ${path} would be inside the app’s volume at ${volume.path}. Choose a path outside the volume.`,
    );
  }
}
