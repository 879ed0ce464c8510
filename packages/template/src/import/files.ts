/** Converts the `configs` and the mounted files of a Compose service to configuration files of an app. */
import type { DraftFile, DraftVolume } from '../draft.ts';
import { referencesIn } from '../references.ts';
import { cleanMountPath, isWithin } from '../rules/mount-path.ts';
import { configPath, filesBelow, LARGEST_FILE, type LocalFiles, type LocalRoom } from './local-files.ts';
import { bindOf, mountsOf } from './mounts.ts';
import type { Teller } from './notes.ts';
import { at, listOf, textOf, type Values } from './values.ts';
import type { Variables } from './variables.ts';

interface FileSources {
  root: Values;
  /** Files in the folder of the Compose file. */
  files: LocalFiles;
  room: LocalRoom;
  variables: Variables;
  /** Volumes of the app. The import omits files whose path is inside a volume. */
  volumes: readonly DraftVolume[];
}

/**
 * Converts the `configs` of a Compose service to configuration files. Configs with unknown content or an invalid path
 * are omitted, with a note. Only content that is part of the Compose file can contain placeholders.
 */
export function configFilesOf(
  service: Values,
  sources: FileSources,
  report: Teller,
): (DraftFile & { isRaw: boolean })[] {
  return listOf(service.configs).flatMap((entry) => {
    const source = textOf(entry) ?? textOf(at(entry, 'source')) ?? '';
    const path = cleanMountPath(textOf(at(entry, 'target')) ?? `/${source}`);
    const config = at(sources.root.configs, source);
    const written = textOf(at(config, 'content'));
    const content = written ?? configContent(config, sources);
    if (path === null || isRefused(path, content, sources) || (written === null && referencesIn(content).length > 0)) {
      report.leftOut(
        'configs',
        `The content of ${shown(source)} is not in this file, or its path is not valid. Add it to \`files\`.`,
      );
      return [];
    }
    report.carried('configs', `${shown(source)} is converted to \`files\` with the path ${shown(path)}.`);
    return [{ path, content: written === null ? content : sources.variables.mark(content), isRaw: written === null }];
  });
}

/**
 * Returns the content of the file to which a config refers. Returns an empty text if the file is unknown or too large.
 */
function configContent(config: unknown, { files, room, variables }: FileSources): string {
  const [local] = filesBelow(files, configPath(config, variables));
  return local?.below === '' && room.take([local.content]) ? local.content : '';
}

/**
 * Converts mounted files from the folder of the Compose file. Files that an app cannot have are omitted, with a note.
 */
export function mountedFilesOf(service: Values, sources: FileSources, report: Teller): DraftFile[] {
  return mountsOf(service, sources.variables).flatMap((mount) => {
    const bind = mount.kind === 'bind' ? bindOf(mount, sources.files) : null;
    if (bind?.kind !== 'files') return [];
    if (!sources.room.take(bind.files.map(({ content }) => content))) {
      report.leftOut('volumes', `The files for ${shown(mount.target)} would make the template too large.`);
      return [];
    }
    const made = bind.files.flatMap(({ below, content }) => {
      const path = cleanMountPath(below === '' ? mount.target : `${mount.target}/${below}`);
      if (path !== null && !isRefused(path, content, sources) && referencesIn(content).length === 0)
        return [{ path, content }];
      report.leftOut(
        'volumes',
        `The file for ${shown(path ?? below)} is too large, empty, inside a volume, or contains a template reference.`,
      );
      return [];
    });
    const count = made.length === 1 ? 'One file is' : `${made.length} files are`;
    if (made.length > 0)
      report.changed(
        'volumes',
        `${count} converted to \`files\` at ${shown(mount.target)}. Changes by the app are lost.`,
      );
    return made;
  });
}

/** Returns the files without duplicate paths. Omits a file whose path is also the folder of another file. */
export function distinctFiles(files: readonly DraftFile[]): DraftFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const paths = [...byPath.keys()];
  return [...byPath.values()].filter(({ path }) => !paths.some((other) => other !== path && isWithin(other, path)));
}

function isRefused(path: string, content: string, { volumes }: FileSources): boolean {
  const bytes = new TextEncoder().encode(content).length;
  return bytes === 0 || bytes > LARGEST_FILE || volumes.some((volume) => isWithin(path, volume.path));
}

function shown(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
